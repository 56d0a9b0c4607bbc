import { makeDataSource } from '../../src/platform/database/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const MIGRATION = 'Dependencies1763700001040';

const task = (name: string, endeavour: string, status: string): string => `
  INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('tsk_${name}', 'task', 'edv_${endeavour}', '${name}');
  INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, status, completed_at)
    VALUES ('tsk_${name}', '${name}', 'edv_${endeavour}', 'res_ann', 'res_ann', '${status}',
      ${status === 'done' ? 'now()' : 'NULL'})`;

const relation = (source: string, type: string, target: string, deletedAt = 'NULL'): string => `
  INSERT INTO entities (id, kind, endeavour_id, title)
    VALUES ('rel_${source}_${type}_${target}', 'relation', 'edv_garden', '${type}');
  INSERT INTO relations (id, relationship_type, source_entity_type, source_entity_id, target_entity_type,
      target_entity_id, created_by, deleted_at)
    VALUES ('rel_${source}_${type}_${target}', '${type}', 'task', 'tsk_${source}', 'task', 'tsk_${target}', 'res_ann', ${deletedAt})`;

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann')`,
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('usr_ann', 'user', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type, user_id) VALUES ('res_ann', 'Ann', 'human', 'usr_ann');
   INSERT INTO users (id, email, name, tier, resource_id) VALUES ('usr_ann', 'ann@example.test', 'Ann', 3, 'res_ann')`,
  ...['garden', 'shed'].map(
    (
      name,
    ) => `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_${name}', 'endeavour', 'edv_${name}', '${name}');
      INSERT INTO endeavours (id, name) VALUES ('edv_${name}', '${name}')`,
  ),
  ...['door', 'frame', 'wall'].map((name) => task(name, 'garden', 'planned')),
  task('floor', 'garden', 'done'),
  task('ladder', 'shed', 'planned'),
  relation('door', 'depends_on', 'frame'),
  relation('frame', 'blocks', 'door'),
  relation('wall', 'blocks', 'door'),
  relation('door', 'depends_on', 'floor'),
  relation('door', 'depends_on', 'ladder'),
  relation('door', 'relates_to', 'wall'),
  relation('wall', 'depends_on', 'frame', 'now()'),
];

it('counts the unfinished dependencies of existing tasks, and keeps the counts current', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [MIGRATION])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  for (const sql of BEFORE) await source.query(sql);
  await source.runMigrations();
  const counts = async (): Promise<object> =>
    Object.fromEntries(
      (await source.query(`SELECT title, blocked_by_count FROM tasks ORDER BY title`)).map(
        (row: { title: string; blocked_by_count: number }) => [row.title, row.blocked_by_count],
      ),
    );
  expect(await counts()).toEqual({ door: 2, floor: 0, frame: 0, ladder: 0, wall: 0 });
  await source.query(`UPDATE tasks SET status = 'active', completed_at = NULL WHERE id = 'tsk_floor'`);
  expect(await counts()).toEqual({ door: 3, floor: 0, frame: 0, ladder: 0, wall: 0 });
  await source.destroy();
  await dropDatabase(connection);
});
