import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../src/platform/database/schema/migrations.js';
import { grantService } from '../../src/platform/process/service-role.js';
import { explain } from '../../src/platform/process/explain.js';
import { SCHEMA } from '../../src/schema.js';
import { sample } from '../support/depth.js';
import { cloneDatabase, dropDatabase, type TestConnection } from '../support/database.js';

const LAST = SCHEMA.migrations.length;

/** Runs statements as the superuser of the server of the tests. */
async function asSuperuser(connection: TestConnection, ...statements: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}

describe('a role that owns its database and has no other right', () => {
  let server: TestConnection;
  let database: TestConnection;

  beforeAll(async () => {
    server = await cloneDatabase();
  });
  afterAll(() => dropDatabase(server));

  /** As deploy/postgres-init.sh creates role and database. */
  beforeEach(async () => {
    const name = `plain_${randomBytes(6).toString('hex')}`;
    await asSuperuser(
      server,
      `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`,
      `CREATE DATABASE ${name} OWNER ${name} ENCODING 'UTF8' TEMPLATE template0`,
      `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
    );
    database = { ...server, user: name, password: name, database: name };
  });
  afterEach(async () => {
    await dropDatabase(database);
    await asSuperuser(server, `DROP ROLE ${database.user}`);
  });

  const names = async (): Promise<string[]> => {
    const client = new pg.Client(database);
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    await client.end();
    return rows.map(({ name }) => name);
  };

  it('applies all migrations, says each of them, and has nothing to do the second time', async () => {
    const said: string[] = [];
    const applied = await migrate(database, SCHEMA, (message) => said.push(message));
    expect(applied).toHaveLength(LAST);
    for (const [index, name] of applied.entries()) {
      expect(said[index]).toMatch(new RegExp(`^${index + 1} of ${LAST}: ${name} applied, \\d+ ms$`));
    }
    expect(await migrate(database, SCHEMA)).toEqual([]);
    expect(await names()).toEqual(applied);
  });

  it('continues after an interruption at the end of a migration', async () => {
    const interrupted = new Set<string>();
    /** Ends the connection of the migration, as if the process had been killed, when it runs for the first time. */
    const once = (migration: Function): Function => {
      const Original = migration as new () => MigrationInterface;
      const Interrupted = class extends Original {
        override async up(runner: QueryRunner): Promise<void> {
          await super.up(runner);
          if (interrupted.has(migration.name)) return;
          interrupted.add(migration.name);
          await runner.query('SELECT pg_terminate_backend(pg_backend_pid())');
        }
      };
      Object.defineProperty(Interrupted, 'name', { value: migration.name });
      return Interrupted;
    };
    const chosen = sample(SCHEMA.migrations, 30, LAST - 1);
    const migrations = SCHEMA.migrations.map((each) => (chosen.includes(each) ? once(each) : each));
    const schema = { entities: [], migrations };
    for (let done = 0; done < chosen.length; done += 1) {
      await expect(migrate(database, schema)).rejects.toThrow('The migration');
      expect(interrupted.size).toBe(done + 1);
    }
    await migrate(database, schema);
    expect(await names()).toEqual(SCHEMA.migrations.map(({ name }) => name));
  });

  it('is told which migration was refused, why, and what to do', async () => {
    class Forbidden1763799999999 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(`CREATE FUNCTION f() RETURNS int LANGUAGE sql SET worksmith.x = 'on' AS 'SELECT 1'`);
      }
      async down(): Promise<void> {}
    }
    const schema = { entities: [], migrations: [Forbidden1763799999999] };
    const error: unknown = await migrate(database, schema).catch((reason: unknown) => reason);
    expect(explain(error)).toBe(
      'The migration Forbidden1763799999999 failed: permission denied to set parameter "worksmith.x". Nothing of it was ' +
        'applied; what was applied before it is kept. The role of the connection needs this right: it must own the ' +
        'database and all that is in it. Run npm run migrate again afterwards.',
    );
  });

  it('grants another role all that the service needs in a database that is closed to others', async () => {
    const service = { ...database, user: `${database.user}_service`, password: 'service' };
    await migrate(database, SCHEMA);
    await expect(grantService(database, service)).rejects.toThrow(
      `The role "${service.user}" of DATABASE_URL does not exist`,
    );
    await asSuperuser(server, `CREATE ROLE ${service.user} LOGIN PASSWORD 'service'`);
    for (let time = 0; time < 2; time += 1) await grantService(database, service);
    const client = new pg.Client(service);
    await client.connect();
    await client.query(`INSERT INTO jobs (name, due_at) VALUES ('one', now()); CREATE TEMPORARY TABLE t ()`);
    await expect(client.query('DELETE FROM audit_entries')).rejects.toThrow('permission denied');
    await client.end();
    await asSuperuser(
      { ...server, database: database.database },
      `DROP OWNED BY ${service.user}; DROP ROLE ${service.user}`,
    );
  });
});
