import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const FIRST = 'ChecklistFunctions1763700004310';

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type) VALUES ('res_ann', 'Ann', 'service')`,
  `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT 'edv_' || n, 'endeavour', 'edv_' || n, 'Garden' FROM generate_series(1, 2) n`,
  `INSERT INTO endeavours (id, name, created_by) SELECT 'edv_' || n, 'Garden', 'res_ann' FROM generate_series(1, 2) n`,
  `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT 'tsk_' || e || n, 'task', 'edv_' || e, 'T' FROM generate_series(1, 2) e, generate_series(1, 6) n`,
  `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, metadata)
     SELECT 'tsk_' || e || n, 'T', 'edv_' || e, 'res_ann', 'res_ann', CASE n
       WHEN 1 THEN '{"checklist": [{"text": "Sow"}, "Mow", {"text": "Sow"}, {"id": "mine", "text": "Sow"}, {"text": 5}]}'
       WHEN 2 THEN '{"checklist": {"text": "Sow"}}' ELSE '{}' END::jsonb
     FROM generate_series(1, 2) e, generate_series(1, 6) n`,
];

const ID = expect.stringMatching(/^[0-9a-f]{12}$/);

it('gives the items of existing checklists ids, a few tasks at a time', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [FIRST])).length > 0;
  const rows = (): Promise<{ id: string; checklist: unknown; revision: number; changes: object }[]> =>
    source.query(
      `SELECT id, metadata->'checklist' AS checklist, revision, content_changes AS changes FROM tasks ORDER BY id`,
    );
  while (await isDone()) await source.undoLastMigration();
  for (const sql of BEFORE) await source.query(sql);
  await source.runMigrations();
  let batches = 0;
  while ((await source.query('SELECT renew_checklists(4) AS more'))[0].more) batches += 1;
  expect(batches).toBe(4);
  const renewed = await rows();
  const items = [{ id: ID, text: 'Sow' }, 'Mow', { id: ID, text: 'Sow' }, { id: 'mine', text: 'Sow' }, { text: 5 }];
  expect(renewed.map(({ id, checklist }) => [id, checklist]).filter(([, checklist]) => checklist !== null)).toEqual([
    ['tsk_11', items],
    ['tsk_12', { text: 'Sow' }],
    ['tsk_21', items],
    ['tsk_22', { text: 'Sow' }],
  ]);
  const given = renewed.flatMap(({ checklist }) => JSON.stringify(checklist)?.match(/[0-9a-f]{12}/g) ?? []);
  expect(new Set(given).size).toBe(4);
  expect(renewed.every(({ revision, changes }) => revision === 1 && Object.keys(changes).length === 0)).toBe(true);
  // The ids follow from the tasks and the texts, so a second database gets the same.
  await source.query(`UPDATE tasks SET metadata = '{"checklist": [{"text": "Sow"}]}' WHERE id = 'tsk_13'`);
  const [again] = await source.query(
    `SELECT t.metadata->'checklist'->0->>'id' = left(md5('tsk_13/1/Sow'), 12) AS same FROM tasks t WHERE id = 'tsk_13'`,
  );
  expect(again.same).toBe(true);
  await source.destroy();
  await dropDatabase(connection);
});
