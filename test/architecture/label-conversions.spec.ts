import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const FIRST = 'Labels1763700004100';

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type) VALUES ('res_ann', 'Ann', 'service')`,
  `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_garden', 'endeavour', 'edv_garden', 'Garden')`,
  `INSERT INTO endeavours (id, name, created_by) VALUES ('edv_garden', 'Garden', 'res_ann')`,
  `INSERT INTO entities (id, kind, endeavour_id, title) SELECT 'tsk_' || n, 'task', 'edv_garden', 'T' FROM generate_series(1, 6) n`,
  `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, metadata)
     SELECT 'tsk_' || n, 'T', 'edv_garden', 'res_ann', 'res_ann', metadata FROM (VALUES
       (1, '{"labels": ["Bug", "wet", "BUG"], "imported": {}}'::jsonb),
       (2, '{"labels": ["bug", "a,b", "!c", "none", "", 7, " dry "], "imported": {}}'),
       (3, '{"labels": ["mine"]}'), (4, '{"labels": "text", "imported": {}}'), (5, '{"imported": {}}'),
       (6, '{"labels": ["!"], "imported": {}}')) AS t (n, metadata)`,
  `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('dmd_1', 'demand', 'edv_garden', 'D')`,
  `INSERT INTO demands (id, title, endeavour_id, owner_id, creator_id, type, metadata)
     VALUES ('dmd_1', 'D', 'edv_garden', 'res_ann', 'res_ann', 'story', '{"labels": ["WET"], "imported": {}}')`,
];

it('gives imported work of a release without labels those in its metadata, a few rows at a time', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [FIRST])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  for (const sql of BEFORE) await source.query(sql);
  const rows = (): Promise<unknown> =>
    source.query(`SELECT id, metadata, revision, updated_at FROM tasks UNION ALL
      SELECT id, metadata, revision, updated_at FROM demands ORDER BY 1`);
  const before = await rows();
  await source.runMigrations();
  let batches = 0;
  while ((await source.query('SELECT convert_metadata_labels(4) AS more'))[0].more) batches += 1;
  expect(batches).toBe(3);
  expect(
    await source.query(
      `SELECT id, label_names(labels) AS labels FROM tasks WHERE labels IS NOT NULL UNION ALL
       SELECT id, label_names(labels) FROM demands WHERE labels IS NOT NULL ORDER BY 1`,
    ),
  ).toEqual([
    { id: 'dmd_1', labels: ['WET'] },
    { id: 'tsk_1', labels: ['Bug', 'WET'] },
    { id: 'tsk_2', labels: ['Bug', 'dry'] },
  ]);
  expect(await rows()).toEqual(before);
  const [{ found }] = await source.query(
    `SELECT count(*)::integer AS found FROM tasks WHERE words @@ search_query('wet')`,
  );
  expect(found).toBe(1);
  await source.destroy();
  await dropDatabase(connection);
});
