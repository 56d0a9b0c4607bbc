import { makeDataSource } from '../../src/platform/database/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const MIGRATION = 'TaskFlow1763700001600';

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann');
   INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('usr_ann', 'user', 'usr_ann', 'Ann');
   INSERT INTO resources (id, name, type) VALUES ('res_ann', 'Ann', 'service');
   INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_garden', 'endeavour', 'edv_garden', 'Garden');
   INSERT INTO endeavours (id, name) VALUES ('edv_garden', 'Garden')`,
  ...['gate', 'pond'].map(
    (
      name,
    ) => `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('tsk_${name}', 'task', 'edv_garden', '${name}');
      INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id)
        VALUES ('tsk_${name}', '${name}', 'edv_garden', 'res_ann', 'res_ann')`,
  ),
];

const move = (set: string): string => `UPDATE tasks SET ${set} WHERE id = 'tsk_gate'`;

const HISTORY = [
  move(`status = 'active', started_at = now()`),
  move(`status = 'done', completed_at = now(), actual = 3`),
  move(`status = 'active', completed_at = NULL`),
  move(`status = 'done', completed_at = now(), actual = 5`),
];

it('derives the previous statuses and the hours of existing tasks', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [MIGRATION])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  for (const sql of [...BEFORE, ...HISTORY]) await source.query(sql);
  await source.runMigrations();
  const moves = async (): Promise<unknown[]> =>
    source.query(
      `SELECT s.task_id AS task, s.endeavour_id AS endeavour, s.previous_status AS "from", s.status AS "to", s.hours,
         s.started_at IS NOT NULL AS started FROM task_statuses s ORDER BY s.task_id, s.id`,
    );
  const gate = (from: string | null, to: string, hours: number | null = null) => ({
    task: 'tsk_gate',
    endeavour: 'edv_garden',
    from,
    to,
    hours,
    started: to === 'done',
  });
  const known = [
    gate(null, 'planned'),
    gate('planned', 'active'),
    gate('active', 'done', 0),
    gate('done', 'active'),
    gate('active', 'done', 5),
  ];
  const pond = { ...gate(null, 'planned'), task: 'tsk_pond' };
  expect(await moves()).toEqual([...known, pond]);
  // After the migration, hours that have been counted are not counted again.
  await source.query(move(`status = 'active', completed_at = NULL`));
  await source.query(move(`status = 'canceled', canceled_at = now(), canceled_reason = 'No', actual = 6`));
  expect(await moves()).toEqual([...known, gate('done', 'active'), gate('active', 'canceled', 1), pond]);
  await source.destroy();
  await dropDatabase(connection);
});
