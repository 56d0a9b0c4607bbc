import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const FIRST = 'PriorityFunctions1763700003810';

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type) VALUES ('res_ann', 'Ann', 'service')`,
  `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_garden', 'endeavour', 'edv_garden', 'Garden')`,
  `INSERT INTO endeavours (id, name, created_by) VALUES ('edv_garden', 'Garden', 'res_ann')`,
  `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT 'dmd_' || p, 'demand', 'edv_garden', 'D' FROM unnest('{low,medium,high}'::text[]) p`,
  `INSERT INTO demands (id, title, endeavour_id, owner_id, creator_id, type, priority)
     SELECT 'dmd_' || p, 'D', 'edv_garden', 'res_ann', 'res_ann', 'story', p FROM unnest('{low,medium,high}'::text[]) p`,
  `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT 'tsk_' || p || n, 'task', 'edv_garden', 'T' FROM unnest('{low,medium,high}'::text[]) p, generate_series(1, 10) n`,
  `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, demand_id)
     SELECT 'tsk_' || p || n, 'T', 'edv_garden', 'res_ann', 'res_ann', 'dmd_' || p
     FROM unnest('{low,medium,high}'::text[]) p, generate_series(1, 10) n`,
];

it('gives existing tasks the priorities of their demands, a few rows at a time', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [FIRST])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  for (const sql of BEFORE) await source.query(sql);
  await source.runMigrations();
  await source.query(`UPDATE tasks SET priority = 'urgent' WHERE id = 'tsk_low1'`);
  let batches = 0;
  while ((await source.query('SELECT renew_task_priorities(4) AS more'))[0].more) batches += 1;
  expect(batches).toBe(6);
  expect(
    await source.query(
      `SELECT effective_priority AS priority, count(*)::integer AS tasks, sum(revision)::integer AS revisions FROM tasks
       GROUP BY 1 ORDER BY 1`,
    ),
  ).toEqual([
    { priority: 'high', tasks: 10, revisions: 10 },
    { priority: 'low', tasks: 9, revisions: 9 },
    { priority: 'medium', tasks: 10, revisions: 10 },
    { priority: 'urgent', tasks: 1, revisions: 1 },
  ]);
  await source.destroy();
  await dropDatabase(connection);
});
