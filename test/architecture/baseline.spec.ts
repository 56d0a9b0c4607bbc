import { createHash } from 'node:crypto';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { REPLACED_MIGRATIONS } from '../../src/migrations/baseline/replaced-migrations.js';
import { ReportsWithKeys1763700004517 } from '../../src/migrations/1763700004517-reports-with-keys.js';
import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { migrate, schemaState, type SchemaState } from '../../src/platform/database/schema/migrations.js';
import { objectDifferences } from '../../src/platform/database/schema/object-differences.js';
import { requireDatabase } from '../../src/platform/process/external-database.js';
import { OBJECTS, SCHEMA } from '../../src/schema.js';
import { contentsOf } from '../support/database-contents.js';
import { cloneDatabase, createDatabase, dropDatabase, type TestConnection } from '../support/database.js';

const [BASELINE] = SCHEMA.migrations.map(({ name }) => name);
/** The fingerprint of the built-in rows that existing databases have. */
const BUILT_IN_ROWS = '70e59e490b5fa27270759fb8a982e452d072dda4885704b958e955dd3e22545d';
const silent = (): void => undefined;

/** What a later release adds, and what it removes when no replica of this one is left. */
class Adding9763700000001 implements MigrationInterface {
  static readonly phase = 'expand';
  up(runner: QueryRunner): Promise<void> {
    return runner.query('ALTER TABLE tasks ADD COLUMN later text');
  }
  async down(): Promise<void> {}
}
class Removing9763700000002 implements MigrationInterface {
  static readonly phase = 'contract';
  up(runner: QueryRunner): Promise<void> {
    return runner.query('ALTER TABLE tasks DROP COLUMN later');
  }
  async down(): Promise<void> {}
}

/** The schema without later migrations. */
const UNTIL_BASELINE = { ...SCHEMA, migrations: SCHEMA.migrations.slice(0, 1) };

describe('a database with the migrations that the baseline replaces', () => {
  let connection: TestConnection;
  let client: pg.Client;

  beforeEach(async () => {
    connection = await createDatabase();
    await migrate(connection, UNTIL_BASELINE);
    client = new pg.Client(connection);
    await client.connect();
    await client.query(`DELETE FROM migrations;
      INSERT INTO entities (id, kind, endeavour_id, title) VALUES ('edv_garden', 'endeavour', 'edv_garden', 'Garden');
      INSERT INTO endeavours (id, name) VALUES ('edv_garden', 'Garden')`);
    await client.query(
      `INSERT INTO migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) name`,
      [REPLACED_MIGRATIONS],
    );
  });
  afterEach(async () => {
    await client.end();
    await dropDatabase(connection);
  });

  const query = async (sql: string) => (await client.query(sql)).rows;
  const names = async () => (await query('SELECT name FROM migrations ORDER BY id')).map(({ name }) => name as string);
  const contents = () => contentsOf(connection, ['migrations', 'migrations_id_seq']);
  async function state(): Promise<SchemaState> {
    const source = await makeDataSource(connection, SCHEMA).initialize();
    const found = await schemaState(source);
    await source.destroy();
    return found;
  }

  it('is taken over by the next migration, with its rows and the names by which older replicas know it', async () => {
    const before = await contents();
    const start = requireDatabase(connection, SCHEMA, silent);
    await expect(start).rejects.toThrow('migration(s) of this release have not been applied');
    expect(await migrate(connection, UNTIL_BASELINE)).toEqual([BASELINE]);
    expect(await contents()).toEqual(before);
    expect(await migrate(connection, SCHEMA)).toEqual(SCHEMA.migrations.slice(1).map(({ name }) => name));
    expect(await names()).toEqual([...REPLACED_MIGRATIONS, ...SCHEMA.migrations.map(({ name }) => name)]);
    expect(await state()).toMatchObject({ isNew: false, pending: [], waiting: [], unknown: [] });
    expect(await objectDifferences(query, OBJECTS)).toEqual([]);
    await requireDatabase(connection, SCHEMA, silent);
    expect(await migrate(connection, SCHEMA)).toEqual([]);
  });

  it.each([
    ['the last one', REPLACED_MIGRATIONS.slice(-1)],
    ['all but the first', REPLACED_MIGRATIONS.slice(1)],
  ])('is rejected without %s, and is told what leads there', async (_, missing) => {
    await client.query('DELETE FROM migrations WHERE name = ANY ($1)', [missing]);
    const before = await names();
    await expect(migrate(connection, SCHEMA)).rejects.toThrow(
      new RegExp(
        `^This database is older than this release can take over: ${missing.length} of the ${REPLACED_MIGRATIONS.length} ` +
          `migrations before its baseline have not been applied, the first is ${missing[0]}\\. Nothing was changed\\. ` +
          'Start the commit \\w+ with this database once',
      ),
    );
    expect(await names()).toEqual(before);
  });

  it('is taken over by a later release too, whose contract waits for the replicas that use it', async () => {
    const migrations = [...SCHEMA.migrations, Adding9763700000001, Removing9763700000002];
    const applied = await migrate(connection, { ...SCHEMA, migrations }, silent, 'leave');
    expect(applied).toEqual([...SCHEMA.migrations, Adding9763700000001].map(({ name }) => name));
    await query('SELECT later FROM tasks');
    expect(await query('SELECT least_schema FROM schema_requirements')).toEqual([{ least_schema: '0' }]);
  });

  it('is not taken for one of a newer release', async () => {
    await client.query('INSERT INTO migrations (timestamp, name) VALUES (9763700000001, $1)', ['Later9763700000001']);
    expect(await state()).toMatchObject({
      pending: SCHEMA.migrations.map(({ name }) => name),
      unknown: ['Later9763700000001'],
    });
  });
});

describe('the built-in rows', () => {
  it('are those of existing databases', async () => {
    const connection = await cloneDatabase();
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query<{ row: string }>(
      `SELECT concat_ws('|', id, scope, lang, name, body) AS row FROM templates
       UNION ALL SELECT concat_ws('|', id, lang, name, description, prompt, schedule) FROM rituals
       UNION ALL SELECT concat_ws('|', id, name, description, conditions) FROM dod_policies
       UNION ALL SELECT concat_ws('|', id, name, max_orgs, max_active_endeavours, max_endeavours_per_org,
         max_agents_per_org, max_teams_per_org, max_creations_per_hour) FROM tiers ORDER BY 1`,
    );
    await client.end();
    await dropDatabase(connection);
    const hash = createHash('sha256').update(rows.map(({ row }) => row).join('\n'));
    // A change of the data files reaches existing databases only by a migration that updates their rows.
    expect([rows.length, hash.digest('hex')]).toEqual([67, BUILT_IN_ROWS]);
  });

  it('get the reports of today from a migration', async () => {
    const connection = await cloneDatabase();
    const client = new pg.Client(connection);
    await client.connect();
    const bodies = async (): Promise<string[]> =>
      (await client.query<{ body: string }>('SELECT body FROM templates ORDER BY id')).rows.map(({ body }) => body);
    const today = await bodies();
    await client.query(`UPDATE templates SET body = 'Former' WHERE scope IN ('task', 'endeavour')`);
    const runner = { query: (sql: string, values: unknown[]) => client.query(sql, values) };
    await new ReportsWithKeys1763700004517().up(runner as unknown as QueryRunner);
    const after = await bodies();
    await client.end();
    await dropDatabase(connection);
    expect(after).toEqual(today);
    expect(today.filter((body) => body.includes('.key }}'))).toHaveLength(12);
  });
});
