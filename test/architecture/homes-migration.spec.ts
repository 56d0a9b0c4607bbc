import { makeDataSource } from '../../src/platform/database/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const FIRST = 'Homes1763700000810';

/** Two active organizations, an archived one, and endeavours and resources that are linked to some of them. */
const BEFORE = [
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_ann', 'resource', 'usr_ann', 'Ann')`,
  `INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('usr_ann', 'user', 'usr_ann', 'Ann')`,
  `INSERT INTO resources (id, name, type, user_id) VALUES ('res_ann', 'Ann', 'human', 'usr_ann');
   INSERT INTO users (id, email, name, tier, resource_id) VALUES ('usr_ann', 'ann@example.test', 'Ann', 3, 'res_ann')`,
  ...['one', 'two', 'old'].map(
    (
      name,
    ) => `INSERT INTO entities (id, kind, organization_id, title) VALUES ('org_${name}', 'organization', 'org_${name}', '${name}');
      INSERT INTO organizations (id, name, status) VALUES ('org_${name}', '${name}', '${name === 'old' ? 'archived' : 'active'}');
      INSERT INTO organization_resources (organization_id, resource_id, user_id, role)
        VALUES ('org_${name}', 'res_ann', 'usr_ann', 'owner')`,
  ),
  ...['loose', 'first', 'moved', 'kept'].map(
    (
      name,
    ) => `INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_${name}', 'endeavour', 'edv_${name}', '${name}');
      INSERT INTO endeavours (id, name) VALUES ('edv_${name}', '${name}');
      INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_${name}', 'resource', 'usr_ann', '${name}');
      INSERT INTO resources (id, name, type, created_by) VALUES ('res_${name}', '${name}', 'team', 'res_ann')`,
  ),
  ...[
    ['first', 'two', 2],
    ['first', 'one', 1],
    ['moved', 'old', 1],
    ['moved', 'two', 2],
    ['kept', 'old', 1],
  ].map(
    ([name, organization, day]) => `
      INSERT INTO organization_endeavours (organization_id, endeavour_id, linked_at)
        VALUES ('org_${organization}', 'edv_${name}', '2026-01-0${day}');
      INSERT INTO organization_resources (organization_id, resource_id, joined_at)
        VALUES ('org_${organization}', 'res_${name}', '2026-01-0${day}')`,
  ),
];

it('makes the oldest active organization the home of each linked endeavour and resource', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [FIRST])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  for (const sql of BEFORE) await source.query(sql);
  await source.runMigrations();
  const homes = async (table: string, key: string, link: string): Promise<object[]> =>
    source.query(
      `SELECT substr(t.id, 5) AS name, t.organization_id AS home,
         ARRAY(SELECT l.organization_id FROM ${link} l WHERE l.${key} = t.id ORDER BY 1) AS links
       FROM ${table} t WHERE t.id <> 'res_ann' ORDER BY 1`,
    );
  const expected = [
    { name: 'first', home: 'org_one', links: ['org_one', 'org_two'] },
    { name: 'kept', home: 'org_old', links: ['org_old'] },
    { name: 'loose', home: null, links: [] },
    { name: 'moved', home: 'org_two', links: ['org_old', 'org_two'] },
  ];
  expect(await homes('endeavours', 'endeavour_id', 'organization_endeavours')).toEqual(expected);
  expect(await homes('resources', 'resource_id', 'organization_resources')).toEqual(expected);
  const marked = await source.query(
    `SELECT organization_id AS home FROM organization_endeavours WHERE is_home ORDER BY 1`,
  );
  expect(marked).toEqual([{ home: 'org_old' }, { home: 'org_one' }, { home: 'org_two' }]);
  const places = await source.query(
    `SELECT organization_id, owner_user_id FROM entities WHERE kind = 'resource' ORDER BY title`,
  );
  expect(places).toEqual([
    { organization_id: null, owner_user_id: 'usr_ann' },
    { organization_id: 'org_one', owner_user_id: null },
    { organization_id: 'org_old', owner_user_id: null },
    { organization_id: null, owner_user_id: 'usr_ann' },
    { organization_id: 'org_two', owner_user_id: null },
  ]);
  await source.destroy();
  await dropDatabase(connection);
});
