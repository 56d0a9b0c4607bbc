import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { PipelinedReader } from '../../src/platform/database/connections/pipelined-reader.js';
import { parametersOf, DIFFERING, SESSION_SETTINGS } from '../../src/platform/database/connections/session-settings.js';
import { differingSettings, prepareRole, setRoleLimits } from '../../src/platform/process/role-limits.js';
import { asService } from '../../src/platform/process/service-role.js';
import { cloneDatabase, dropDatabase, TestDatabase, type TestConnection } from '../support/database.js';
import { TestApp } from '../support/test-app.js';

const POOL = { poolSize: 1, checkoutMs: 10_000, sessionSettings: SESSION_SETTINGS };
/** What a server, a database or a role may have been given, and what statements cannot work with. */
const OTHERS = {
  jit: 'on',
  bytea_output: 'escape',
  statement_timeout: '0',
  timezone: `'Asia/Tokyo'`,
  intervalstyle: 'iso_8601',
  default_transaction_isolation: 'serializable',
  search_path: 'elsewhere',
};

describe('the settings that statements rely on', () => {
  let server: TestConnection;
  let connection: TestConnection;
  let owner: TestDatabase;

  beforeAll(async () => {
    server = await cloneDatabase();
    connection = asService(server);
    owner = new TestDatabase(server);
    for (const [name, value] of Object.entries(OTHERS)) {
      await owner.query(`ALTER DATABASE ${server.database} SET ${name} = ${value}`);
    }
  });
  afterAll(async () => {
    await owner.close();
    await dropDatabase(server);
  });

  const differingOn = async (run: (sql: string, values: unknown[]) => Promise<unknown>) =>
    run(DIFFERING, parametersOf(SESSION_SETTINGS));

  it('hold on each connection from its first statement, whatever the database and the role were given', async () => {
    const names = (await differingSettings(connection)).map(({ name }) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(Object.keys(OTHERS)));
    let source: DataSource | undefined;
    const reader = new PipelinedReader(connection, POOL);
    try {
      source = await makeDataSource(connection, { entities: [], migrations: [] }, POOL).initialize();
      const { master } = source.driver as unknown as { master: Pool };
      expect(await differingOn(async (sql, values) => (await master.query(sql, values)).rows)).toEqual([]);
      while (reader.open === undefined) await new Promise(setImmediate);
      expect(await differingOn(async (sql, values) => (await reader.open?.send(sql, values))?.rows)).toEqual([]);
    } finally {
      await source?.destroy();
      await reader.close();
    }
  });

  it('are settings of the role, once for replicas that start together, and again when a restored copy has lost them', async () => {
    const { user, database } = connection;
    const saved = await Promise.all([1, 2, 3].map(() => setRoleLimits(connection)));
    const known = Object.keys(SESSION_SETTINGS).filter((name) => !name.startsWith('transaction_timeout'));
    expect(saved.map((names) => names.length > 0).sort()).toEqual([false, false, true]);
    expect(saved.flat()).toEqual(expect.arrayContaining(known));
    expect(await differingSettings(connection)).toEqual([]);
    await owner.query(`ALTER ROLE ${user} IN DATABASE ${database} RESET ALL`);
    const warnings: string[] = [];
    await prepareRole(connection, (message) => warnings.push(message));
    expect(warnings).toEqual([]);
    expect(await differingSettings(connection)).toEqual([]);
  });

  it('are corrected without them if the role cannot be changed, which is said', async () => {
    await owner.query(`ALTER ROLE ${connection.user} IN DATABASE ${server.database} RESET ALL`);
    await owner.query(`ALTER DATABASE ${server.database} SET default_transaction_read_only = on`);
    const warnings: string[] = [];
    await prepareRole(connection, (message) => warnings.push(message));
    expect(warnings).toEqual([
      'The settings of the database role could not be changed (cannot execute ALTER ROLE in a read-only transaction).',
      expect.stringMatching(/^On a new connection to the database, .*jit is on instead of off/),
    ]);
  });
});

it('the statements that make notifications are not compiled, even if the server compiles costly plans', async () => {
  const first = await TestApp.open();
  const { database, user } = asService(first.service.connection);
  await first.observer.query(`
    ALTER DATABASE ${database} SET jit = on;
    CREATE TABLE compiled (jit text);
    GRANT ALL ON compiled TO ${user};
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO compiled VALUES (current_setting('jit'));
      RETURN NEW;
    END $$;
    CREATE TRIGGER note BEFORE INSERT ON notifications FOR EACH ROW EXECUTE FUNCTION note()`);
  // A replica whose connections are younger than the setting.
  const app = await TestApp.open({}, first);
  const [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
  const endeavour = await app.endeavour(ann);
  await app.join(endeavour, ben, 'member');
  const task = { title: 'Dig', endeavour_id: endeavour, assignee_id: ben.resourceId };
  await app
    .as(ann)
    .post('/tasks')
    .send({ ...task, due_date: new Date(Date.now() - 60_000).toISOString() })
    .expect(201);
  await app.service.runJobs();
  const { body } = await app.as(ben).get('/notifications').expect(200);
  expect(body.data).toHaveLength(1);
  expect(await app.observer.query('SELECT DISTINCT jit FROM compiled')).toEqual([{ jit: 'off' }]);
  await app.close();
  await first.close();
});
