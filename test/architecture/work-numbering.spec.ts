import type { DataSource } from 'typeorm';
import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const FIRST = 'WorkKeys1763700003800';
const TASK_NUMBERS = 'TaskNumbers1763700003802';
const EACH = 30;

const inserted = (kind: 'task' | 'demand', at: string): string[] => {
  const [table, prefix] = kind === 'task' ? ['tasks', 'tsk'] : ['demands', 'dmd'];
  const [column, value] = kind === 'task' ? ['', ''] : [', type', `, 'story'`];
  return [
    `INSERT INTO entities (id, kind, endeavour_id, title)
       SELECT '${prefix}_' || n, '${kind}', 'edv_garden', 'T' FROM generate_series(1, ${EACH}) n`,
    `INSERT INTO ${table} (id, title, endeavour_id, owner_id, creator_id, created_at${column})
       SELECT '${prefix}_' || n, 'T', 'edv_garden', 'res_ann', 'res_ann', ${at}${value} FROM generate_series(1, ${EACH}) n`,
  ];
};

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type) VALUES ('res_ann', 'Ann', 'service')`,
  `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_garden', 'endeavour', 'edv_garden', 'Garden'),
     ('edv_empty', 'endeavour', 'edv_empty', 'Garden')`,
  `INSERT INTO endeavours (id, name, created_by) VALUES ('edv_garden', 'Garden', 'res_ann'), ('edv_empty', 'Garden', 'res_ann')`,
  // A demand is created a minute before each task.
  ...inserted('task', `timestamptz '2026-01-01' + n * interval '2 minutes'`),
  ...inserted('demand', `timestamptz '2026-01-01' + (n * 2 - 1) * interval '1 minute'`),
];

/** A database in which that migration and later ones have been undone. */
async function databaseBefore(migration: string): Promise<{ source: DataSource; drop: () => Promise<void> }> {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [migration])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  const drop = async (): Promise<void> => {
    await source.destroy();
    await dropDatabase(connection);
  };
  return { source, drop };
}

it('numbers existing work by its creation, a few rows at a time, and new work behind it from the beginning', async () => {
  const { source, drop } = await databaseBefore(FIRST);
  for (const sql of BEFORE) await source.query(sql);
  await source.runMigrations();
  const create = async (id: string, endeavour = 'edv_garden'): Promise<number> => {
    await source.query(`INSERT INTO entities (id, kind, endeavour_id, title) VALUES ($1, 'task', $2, 'New')`, [
      id,
      endeavour,
    ]);
    const [row] = await source.query(
      `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id) VALUES ($1, 'New', $2, 'res_ann', 'res_ann')
       RETURNING number`,
      [id, endeavour],
    );
    return row.number;
  };
  expect(await create('tsk_new')).toBe(2 * EACH + 1);
  const revisions = 'SELECT sum(revision) AS revisions, count(*) AS rows, max(updated_at) AS latest FROM tasks';
  const before = await source.query(revisions);
  let batches = 0;
  while ((await source.query('SELECT number_existing_work(7) AS more'))[0].more) batches += 1;
  expect(batches).toBeGreaterThan((2 * EACH) / 7);
  expect(await source.query(revisions)).toEqual(before);
  const numbers = await source.query(
    `SELECT id, number FROM tasks WHERE title = 'T' UNION ALL SELECT id, number FROM demands ORDER BY number`,
  );
  expect(numbers.slice(0, 4)).toEqual([
    { id: 'dmd_1', number: 1 },
    { id: 'tsk_1', number: 2 },
    { id: 'dmd_2', number: 3 },
    { id: 'tsk_2', number: 4 },
  ]);
  expect(numbers.map(({ number }: { number: number }) => number)).toEqual(
    Array.from({ length: 2 * EACH }, (_, n) => n + 1),
  );
  expect(await source.query('SELECT key FROM endeavours ORDER BY id')).toEqual([{ key: 'GARD' }, { key: 'GARD2' }]);
  expect(await source.query('SELECT count(*)::integer AS keys FROM work_keys WHERE key IS NOT NULL')).toEqual([
    { keys: 2 * EACH + 1 },
  ]);
  expect(await source.query('SELECT * FROM work_numbers WHERE entity_id IS NULL')).toEqual([]);
  expect(await create('tsk_newer')).toBe(2 * EACH + 2);
  // A number in an endeavour that is erased leads nowhere.
  expect(await create('tsk_guest', 'edv_empty')).toBe(1);
  await source.query(`UPDATE tasks SET endeavour_id = 'edv_garden' WHERE id = 'tsk_guest'`);
  const guest = 'SELECT number, former_numbers FROM tasks WHERE id = $1';
  expect(await source.query(guest, ['tsk_guest'])).toEqual([
    { number: 2 * EACH + 3, former_numbers: { edv_empty: 1 } },
  ]);
  await source.query(`DELETE FROM endeavours WHERE id = 'edv_empty'`);
  expect(await source.query(guest, ['tsk_guest'])).toEqual([{ number: 2 * EACH + 3, former_numbers: null }]);
  for (const table of ['endeavour_keys', 'work_numbers']) {
    expect(await source.query(`SELECT * FROM ${table} WHERE endeavour_id = 'edv_empty'`)).toEqual([]);
  }
  await drop();
});

it('gives what clients create between the migrations the next numbers, and no number twice', async () => {
  const { source, drop } = await databaseBefore(TASK_NUMBERS);
  for (const sql of BEFORE) await source.query(sql);
  await source.query(`INSERT INTO unnumbered_endeavours (endeavour_id, last_number) VALUES ('edv_garden', 10)`);
  await source.runMigrations();
  await source.query(
    `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('tsk_new', 'task', 'edv_garden', 'New')`,
  );
  await source.query(
    `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id) VALUES ('tsk_new', 'New', 'edv_garden', 'res_ann', 'res_ann')`,
  );
  while ((await source.query('SELECT number_existing_work(7) AS more'))[0].more);
  const numbers = await source.query(
    'SELECT id, number FROM tasks UNION ALL SELECT id, number FROM demands ORDER BY number',
  );
  expect(numbers.slice(9, 11)).toEqual([
    { id: 'tsk_5', number: 10 },
    { id: 'tsk_new', number: 11 },
  ]);
  expect(new Set(numbers.map(({ number }: { number: number }) => number)).size).toBe(2 * EACH + 1);
  expect(await source.query('SELECT entity_id AS id, number FROM work_numbers ORDER BY number')).toEqual(numbers);
  await drop();
});
