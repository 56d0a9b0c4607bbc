import { makeDataSource } from '../../src/platform/database/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

const FIRST = 'FormerManagers1763700002710';

/** The names of users, and of the managers of agents. */
const USERS: [string, string | null][] = [
  ['ann', null],
  ['mia', null],
  ['noa', null],
  ['bot', 'ann'],
  ['orphan', null],
];

const userNamed = (name: string, manager: string | null): string => `
  INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('res_${name}', 'resource', 'usr_${name}', '${name}');
  INSERT INTO entities (id, kind, owner_user_id, title) VALUES ('usr_${name}', 'user', 'usr_${name}', '${name}');
  INSERT INTO resources (id, name, type, user_id) VALUES ('res_${name}', '${name}', 'human', 'usr_${name}');
  INSERT INTO users (id, email, name, tier, resource_id, user_type, is_managed, manager_id)
    SELECT 'usr_${name}', '${name}', '${name}', 3, 'res_${name}', CASE WHEN agent THEN 'agent' ELSE 'human' END, agent,
      'usr_' || nullif('${manager ?? ''}', '') FROM (SELECT '${name}' IN ('bot', 'orphan') AS agent) is_managed`;

it('makes no two people one for ever by a change of manager, but keeps who managed an agent when', async () => {
  const connection = await cloneDatabase();
  const source = await makeDataSource(connection, SCHEMA).initialize();
  const isDone = async (): Promise<boolean> =>
    (await source.query(`SELECT 1 FROM migrations WHERE name = $1`, [FIRST])).length > 0;
  while (await isDone()) await source.undoLastMigration();
  for (const [name, manager] of USERS) await source.query(userNamed(name, manager));
  for (const [agent, former] of [
    ['bot', 'mia'],
    ['orphan', 'noa'],
  ]) {
    await source.query(
      `INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data) VALUES
       (new_id('evt'), 'user.updated', 'user', 'usr_${agent}', '{manager_id}', '{"manager_id": "usr_${former}"}', '{}')`,
    );
  }
  await source.runMigrations();
  const people = await source.query(
    `SELECT array_agg(substr(id, 5) ORDER BY id) AS names FROM resources GROUP BY person_behind(id) ORDER BY 1`,
  );
  expect(people).toEqual([{ names: ['ann', 'bot'] }, { names: ['mia'] }, { names: ['noa'] }, { names: ['orphan'] }]);
  const answering = await source.query(
    `SELECT substr(r.id, 5) AS name, ARRAY(SELECT substr(p, 5) FROM people_behind(r.id, e.at, e.at) p ORDER BY 1) AS people
     FROM resources r, (VALUES (now() - interval '1 day'), (now() + interval '1 day')) e (at)
     WHERE r.id IN ('res_bot', 'res_orphan') ORDER BY 1, e.at`,
  );
  expect(answering).toEqual([
    { name: 'bot', people: ['ann', 'mia'] },
    { name: 'bot', people: ['ann'] },
    { name: 'orphan', people: ['noa', 'orphan'] },
    { name: 'orphan', people: ['orphan'] },
  ]);
  await source.destroy();
  await dropDatabase(connection);
});
