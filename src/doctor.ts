import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { readSettings } from './platform/config/read-settings.js';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connection.js';
import { makeDataSource } from './platform/database/data-source.js';
import { isTooOld, schemaState } from './platform/database/migrations.js';
import { examineAudit, examineDisk, examineRole, examineServer } from './platform/doctor/examination.js';
import { examinePooler, examineRights, examineSettings } from './platform/doctor/connection-examination.js';
import { declaredObjects } from './platform/doctor/declared-objects.js';
import type { DoctorFinding } from './platform/doctor/findings.js';
import { examineObjects } from './platform/doctor/object-examination.js';
import { findHome } from './embedded-postgres/home.js';
import { withRunningOrStarted } from './embedded-postgres/use-server.js';
import { runCommand, UsageError } from './platform/process/command.js';
import { SERVICE_ROLE } from './platform/process/service-role.js';
import { SCHEMA } from './schema.js';

const USAGE = `Checks the settings, the database and the audit, and says what is wrong and what to do. It changes nothing and can be
used while the service is running.

  npm run doctor

Exits with 0 if there are no faults (there can be warnings), and with 1 otherwise. With DATABASE_URL, PEPPER is required.`;

const quiet = (): void => undefined;

async function examine(connection: Connection, settings: Settings, role?: string): Promise<DoctorFinding[]> {
  const client = new Client('url' in connection ? { connectionString: connection.url } : connection);
  client.on('error', quiet);
  await client.connect();
  const query = async <R>(sql: string, parameters?: unknown[]): Promise<R[]> =>
    (await client.query(sql, parameters)).rows as R[];
  const plan = { poolSize: settings.DATABASE_POOL, directUrl: settings.DATABASE_DIRECT_URL };
  try {
    const pooler = await examinePooler(connection, plan);
    const session = role === undefined ? await examineSettings(query) : [];
    // Reading the whole audit takes longer than requests may. A pooler would keep settings that outlive a transaction.
    await query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    const [{ user }] = await query<{ user: string }>('SELECT current_user AS user');
    const server = [...(await examineServer(query)), pooler, ...session];
    const pending = await examineSchema(connection);
    if (pending.state === 'fault') return [...server, pending];
    const secrets = Secrets.load(settings, settings.DATA_DIR);
    return [
      ...server,
      pending,
      ...(await examineObjects(query, await declaredObjects(SCHEMA.migrations))),
      ...(await examineRights(query, role ?? user, plan)),
      await examineRole(query, role ?? user),
      ...(await examineAudit(query, secrets)),
    ];
  } finally {
    await client.end();
  }
}

async function examineSchema(connection: Connection): Promise<DoctorFinding> {
  const source = await makeDataSource(connection, SCHEMA).initialize();
  try {
    const state = await schemaState(source);
    const { pending, waiting, unknown } = state;
    if (isTooOld(state, source.migrations)) {
      return { state: 'fault', text: `The database needs a newer release (${unknown[0]}). Run that release.` };
    }
    if (pending.length === 0 && unknown.length > 0) {
      const text = `The database was migrated by a newer release (${unknown[0]}), which this one works with. Update it soon.`;
      return { state: 'warning', text };
    }
    if (pending.length === 0 && waiting.length > 0) {
      const text = `${waiting.length} contracts have not been applied. When all replicas have been updated, run npm run migrate -- --contract.`;
      return { state: 'warning', text };
    }
    if (pending.length === 0) return { state: 'ok', text: 'All migrations have been applied.' };
    const text = `${pending.length} migrations have not been applied. Run npm run migrate, or npm start for the embedded database.`;
    return { state: 'fault', text };
  } finally {
    await source.destroy();
  }
}

async function examineEmbedded(settings: Settings): Promise<DoctorFinding[]> {
  const home = findHome(settings.DATA_DIR, quiet);
  if (!existsSync(home.cluster)) {
    return [{ state: 'warning', text: `There is no database in ${home.directory} yet; npm start creates one.` }];
  }
  return withRunningOrStarted(settings.DATA_DIR, quiet, async (connection, { dataDir }) => {
    settings.DATA_DIR = dataDir;
    return [examineDisk(dataDir), ...(await examine(connection, settings, SERVICE_ROLE))];
  });
}

await runCommand({
  usage: USAGE,
  async run({ positionals }) {
    if (positionals.length > 0) throw new UsageError(`Unknown argument "${positionals[0]}".`);
    const settings = readSettings(process.env, { secrets: ['PEPPER'] });
    const { DATABASE_URL: url } = settings;
    // The doctor signs no tokens, so any key will do.
    if (url !== undefined) settings.JWT_SECRET ??= randomBytes(32).toString('hex');
    const findings = await (url === undefined ? examineEmbedded(settings) : examine({ url }, settings));
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
    return [{ state: 'ok', text: 'The settings are valid.' }, ...findings].map(
      ({ state, text }) => `${state.padEnd(7)}  ${text}`,
    );
  },
});
