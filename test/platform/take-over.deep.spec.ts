import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { PostgresConnection } from '../../src/embedded-postgres/database.js';
import { withStarted } from '../../src/embedded-postgres/use-server.js';
import { COMMIT_BEFORE, REPLACED_MIGRATIONS } from '../../src/migrations/baseline/replaced-migrations.js';
import { migrate } from '../../src/platform/database/schema/migrations.js';
import { prepareService } from '../../src/platform/process/service-role.js';
import { SCHEMA } from '../../src/schema.js';
import { closeAll } from '../faults/support/opened.mjs';
import { commitBefore, sourcesOf } from '../faults/support/releases.mjs';
import { contentsOf, type Contents } from '../support/database-contents.js';
import { POSTGRES } from '../support/production/programs.js';
import { freePort, ServiceProcess } from '../support/service.js';

const ADMIN = { ADMIN_EMAIL: 'admin@worksmith.example', ADMIN_PASSWORD: 'a river of quiet lamps' };
const BASELINE = { ...SCHEMA, migrations: SCHEMA.migrations.slice(0, 1) };
const quiet = (): void => undefined;

/** The sources of the release before the baseline; where git lacks them, those of this one, which has the same schema. */
const former = sourcesOf(COMMIT_BEFORE);
if (former === undefined)
  process.stderr.write(
    `NOT RUN  the release before the baseline (${COMMIT_BEFORE}), which this copy of the repository does not contain; ` +
      'this release makes its data instead. In a shallow clone, git fetch --unshallow gets it\n',
  );
const folder = mkdtempSync(join(tmpdir(), 'worksmith-take-over-'));
const [data, copy, restored, backup] = ['data', 'copy', 'restored', 'backup'].map((name) => join(folder, name));
let port: string;

/** Starts a program of that release, or of this one. */
function start(program: string, dataDir: string, release = process.cwd(), words: string[] = []): ServiceProcess {
  const environment = { DATA_DIR: dataDir, PORT: port, ...ADMIN };
  return new ServiceProcess(environment, join(release, program), folder, words);
}

/** Starts the service, calls `work`, and stops it. */
async function serving<T>(dataDir: string, work: () => Promise<T>, release?: string): Promise<T> {
  const service = start('src/main.ts', dataDir, release);
  await service.says('"msg":"listening');
  const result = await work();
  service.signal('SIGTERM');
  expect(await service.exit()).toBe(0);
  return result;
}

async function run(program: string, dataDir: string, release?: string, ...words: string[]): Promise<void> {
  const command = start(program, dataDir, release, words);
  expect([await command.exit(), command.output]).toEqual([0, expect.any(String)]);
}

const query = async <R extends pg.QueryResultRow>(connection: PostgresConnection, sql: string): Promise<R[]> => {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<R>(sql, sql.includes('$1') ? [REPLACED_MIGRATIONS] : []);
  await client.end();
  return rows;
};

const PG_DUMP = join(POSTGRES['18'], 'pg_dump');
const hasDump = existsSync(PG_DUMP) || process.env.CI === 'true';
if (!hasDump)
  process.stderr.write('NOT RUN  pg_dump of PostgreSQL 18, which scripts/production-programs.sh installs\n');

/** The schema as pg_dump writes it. */
function dump({ host, port: at, user, password = '', database }: PostgresConnection): string {
  const words = ['--schema-only', `--host=${host}`, `--port=${at}`, `--username=${user}`, database];
  const env = { PGPASSWORD: password };
  const text = execFileSync(PG_DUMP, words, { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  // Each run writes another key into these lines.
  return text.replaceAll(/^\\(?:un)?restrict .*$/gm, '');
}

interface State {
  schema: string;
  rows: Contents;
  builtIn: unknown[];
}

async function stateOf(connection: PostgresConnection): Promise<State> {
  const rows = await contentsOf(connection, ['migrations']);
  const builtIn = await query(
    connection,
    `SELECT id, name, body AS text, lang, scope FROM templates WHERE origin = 'template'
     UNION ALL SELECT id, name, concat(description, prompt, schedule), lang, NULL FROM rituals WHERE origin = 'template'
     UNION ALL SELECT id, name, concat(description, conditions), NULL, scope FROM dod_policies WHERE origin = 'template'
     UNION ALL SELECT id::text, name, (to_jsonb(t) - '{created_at,updated_at}'::text[])::text, NULL, NULL FROM tiers t
     ORDER BY 1`,
  );
  return { schema: hasDump ? dump(connection) : '', rows, builtIn };
}

/** What the database contains after all migrations of this release. */
async function migrated(connection: PostgresConnection): Promise<State> {
  await migrate(connection, SCHEMA);
  return stateOf(connection);
}

interface Seen {
  organizations: unknown;
  tasks: unknown;
  schema: unknown;
}

/** What an administrator sees of the work of the demo, and of the schema. */
async function seen(): Promise<Seen> {
  const base = `http://127.0.0.1:${port}`;
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(base + path, init);
    expect([path, response.status]).toEqual([path, 200]);
    return ((await response.json()) as { data: T }).data;
  };
  const { token } = await ask<{ token: string }>('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
  });
  const headers = { authorization: `Bearer ${token}` };
  const organizations = await ask('/api/v1/organizations?limit=100', { headers });
  const tasks = await ask('/api/v1/tasks?limit=200', { headers });
  const { details } = await ask<{ details: Record<string, unknown> }>('/health/ready', { headers });
  const { problems, pending_migrations, unknown_migrations } = details;
  return { organizations, tasks, schema: { problems, pending_migrations, unknown_migrations } };
}

it('builds the commit that the baseline names, wherever git knows what was before the baseline', () => {
  const isKnown = commitBefore('src/migrations/baseline/replaced-migrations.ts') !== undefined;
  expect([isKnown, former]).not.toEqual([true, undefined]);
});

describe('a data folder of the release before the baseline', () => {
  let before: Seen;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    // The packages of the programs, which run in this folder so that they read no `.env`.
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    port = String(await freePort());
    const work = async () => {
      await run('src/demo.ts', data, former);
      await run('src/backup.ts', data, former, backup);
      return seen();
    };
    before = await serving(data, work, former);
    if (former === undefined) await withStarted(data, quiet, forgetBaseline);
    cpSync(data, copy, { recursive: true });
  });
  afterAll(async () => {
    await closeAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('has its schema and all its rows after the baseline, and the built-in rows of a new database after all migrations', async () => {
    const [first, second, last] = await withStarted(data, quiet, async (connection) => {
      const state = await stateOf(connection);
      expect(await migrate(connection, BASELINE)).toHaveLength(1);
      return [state, await stateOf(connection), await migrated(connection)];
    });
    expect(second).toEqual(first);
    expect(Object.values(first.rows).filter((content) => !content.startsWith('0 ')).length).toBeGreaterThan(40);
    const [fresh, freshLast] = await withStarted(join(folder, 'fresh'), quiet, async (connection) => {
      // This release has made the data with its later migrations, too.
      await migrate(connection, former === undefined ? SCHEMA : BASELINE);
      await prepareService(connection);
      return [await stateOf(connection), await migrated(connection)];
    });
    expect(second.schema).toBe(fresh.schema);
    // The baseline inserts the texts of this release; a later migration brings them to a former one.
    expect(last.builtIn).toEqual(freshLast.builtIn);
  });

  it('is taken over by a start, and can be started by the former release again', async () => {
    // Later releases add properties.
    expect(await serving(copy, seen)).toMatchObject(before);
    expect(await serving(copy, seen, former)).toMatchObject({ tasks: before.tasks });
  });

  it('is taken over from a backup', async () => {
    await run('src/restore.ts', restored, undefined, backup);
    if (former === undefined) await withStarted(restored, quiet, forgetBaseline);
    expect(await serving(restored, seen)).toMatchObject(before);
  });
});

/** Gives a database of this release the names of the migrations before the baseline, instead of that of the baseline. */
async function forgetBaseline(connection: PostgresConnection): Promise<void> {
  await query(connection, `DELETE FROM migrations WHERE name = '${BASELINE.migrations[0].name}'`);
  await query(
    connection,
    'INSERT INTO migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) name',
  );
}
