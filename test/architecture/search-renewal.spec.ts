import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const TASKS = 450;

const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann'),
     ('usr_ann', 'user', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type) VALUES ('res_ann', 'Ann', 'service')`,
  `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_garden', 'endeavour', 'edv_garden', 'Garden')`,
  `INSERT INTO endeavours (id, name) VALUES ('edv_garden', 'Garden')`,
  `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT 'tsk_' || lpad(n::text, 5, '0'), 'task', 'edv_garden', 'T' FROM generate_series(1, ${TASKS}) n`,
  `INSERT INTO tasks (id, title, description, external_ref, endeavour_id, owner_id, creator_id)
     SELECT 'tsk_' || lpad(n::text, 5, '0'), 'GAR-' || n, '请检查仓库的门锁', json_build_object('source', 'x', 'id', 'OLD-' || n),
       'edv_garden', 'res_ann', 'res_ann' FROM generate_series(1, ${TASKS}) n`,
  // As an earlier release wrote them.
  `UPDATE tasks SET words = to_tsvector('simple', 'gar')`,
  `INSERT INTO search_renewals (table_name) VALUES ('tasks')`,
];

it('cuts the texts of existing rows anew, a few at a time, without another change', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  for (const sql of BEFORE) await source.query(sql);
  const others = (): Promise<unknown> =>
    source.query(`SELECT md5(string_agg((to_jsonb(t) - 'words')::text, '' ORDER BY id)) AS rest FROM tasks t`);
  const found = async (query: string): Promise<number> =>
    (await source.query(`SELECT count(*)::integer AS found FROM tasks WHERE words @@ ${query}`))[0].found;
  const before = await others();
  const events = await source.query('SELECT count(*) FROM events');
  const renew = async (): Promise<boolean> => (await source.query('SELECT renew_search_words(200) AS more'))[0].more;
  expect(await found(`search_query('门锁')`)).toBe(0);
  // What was found before is found until the rows are renewed.
  expect(await found(`search_query('gar')`)).toBe(TASKS);
  let batches = 0;
  while (await renew()) batches += 1;
  expect(batches).toBeGreaterThanOrEqual(TASKS / 200);
  expect(await found(`search_query('门锁')`)).toBe(TASKS);
  expect(await found(`search_query('GAR-7')`)).toBe(1);
  expect(await found(`search_query('OLD-7')`)).toBe(1);
  expect([await others(), await source.query('SELECT count(*) FROM events')]).toEqual([before, events]);
  expect(await source.query('SELECT * FROM search_renewals')).toEqual([]);
  await source.destroy();
  await dropDatabase(connection);
});
