import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isEmail } from 'class-validator';
import { Client } from 'pg';
import { sinkTarget } from './platform/audit/sink-target.js';
import { readSettings } from './platform/config/read-settings.js';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connections/connection.js';
import { makeDataSource } from './platform/database/connections/data-source.js';
import { isTooOld, schemaState } from './platform/database/schema/migrations.js';
import { examineAudit, examineDisk, examineRole, examineServer } from './platform/doctor/examination.js';
import { examinePooler, examineRights, examineSettings } from './platform/doctor/connection-examination.js';
import { expectedObjects } from './platform/doctor/expected-objects.js';
import { fault, ok, type DoctorFinding } from './platform/doctor/findings.js';
import { examineDirect } from './platform/doctor/direct-examination.js';
import { examineFileRemovals, examineFileStore } from './platform/doctor/files-examination.js';
import { examineMail } from './platform/doctor/mail-examination.js';
import { examineObjects } from './platform/doctor/object-examination.js';
import { examineOrphans } from './platform/doctor/orphan-examination.js';
import { examinePartitions } from './platform/doctor/partition-examination.js';
import { examineReplication } from './platform/doctor/replication-examination.js';
import { examineStandby } from './platform/doctor/standby-examination.js';
import { examineSink } from './platform/doctor/sink-examination.js';
import { examineService } from './platform/doctor/service-examination.js';
import { examineDrills } from './platform/doctor/drill-examination.js';
import { examineWork, examineWriting } from './platform/doctor/work-examination.js';
import { findHome } from './embedded-postgres/home.js';
import { withRunningOrStarted } from './embedded-postgres/use-server.js';
import { runCommand, UsageError, type CommandArguments } from './platform/process/command.js';
import { explain } from './platform/process/explain.js';
import { SERVICE_ROLE } from './platform/process/service-role.js';
import { connectionsOf } from './platform/process/worker-count.js';
import { PARTITIONED_TABLES } from './partitioned-tables.js';
import { OBJECTS, SCHEMA } from './schema.js';

const USAGE = `Checks the settings, the database and the audit, and says what is wrong and what to do. It changes nothing and can be
used while the service is running.

  npm run doctor
  npm run doctor -- --mail <address>   also sends a mail to this address
  npm run doctor -- --files            also uploads, reads and removes a file of a few bytes in the store of files
  npm run doctor -- --url <url>        also asks the service at this URL whether it is ready
  npm run doctor -- --json             prints [{"state": "ok|warning|fault", "text": ...}]

Exits with 0 if there are no faults (there can be warnings), with 1 if there are, and with 2 if an argument is wrong. With
DATABASE_URL, PEPPER is required.`;

const quiet = (): void => undefined;

async function examine(connection: Connection, settings: Settings, role?: string): Promise<DoctorFinding[]> {
  const client = new Client('url' in connection ? { connectionString: connection.url } : connection);
  client.on('error', quiet);
  await client.connect();
  const query = async <R>(sql: string, parameters?: unknown[]): Promise<R[]> =>
    (await client.query(sql, parameters)).rows as R[];
  const plan = { connections: connectionsOf(settings), directUrl: settings.DATABASE_DIRECT_URL };
  try {
    const pooler = await examinePooler(connection, plan);
    // Such a pooler can refuse the transaction of the other checks.
    if (pooler.state === 'fault') return [pooler];
    const session = role === undefined ? await examineSettings(query) : [];
    const writing = await examineWriting(query);
    // Reading the whole audit takes longer than requests may. A pooler would keep settings that outlive a transaction.
    await query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    const [{ user }] = await query<{ user: string }>('SELECT current_user AS user');
    const direct = await examineDirect(client, settings.DATABASE_DIRECT_URL);
    const server = [...(await examineServer(query)), pooler, ...direct, ...session, writing];
    const pending = await examineSchema(connection);
    if (pending.state === 'fault') return [...server, pending];
    const secrets = Secrets.load(settings, settings.DATA_DIR);
    return [
      ...server,
      pending,
      ...(await examineObjects(query, await expectedObjects(OBJECTS, SCHEMA.migrations))),
      ...(await examinePartitions(query, PARTITIONED_TABLES)),
      ...(await examineRights(query, role ?? user, plan)),
      await examineRole(query, role ?? user),
      ...(await examineWork(query)),
      await examineDrills(query),
      ...(await examineReplication(query)),
      ...(await examineStandby(client, settings.DATABASE_READ_URL)),
      ...(await examineOrphans(query)),
      ...(await examineAudit(query, secrets)),
      ...(await examineSink(query, settings.AUDIT_SINK && sinkTarget(settings.AUDIT_SINK))),
      ...(await examineFileRemovals(query, settings)),
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

interface Options {
  tries: boolean;
  mail?: string;
  url?: string;
}

function readOptions({ positionals, flags }: CommandArguments): Options {
  if (positionals.length > 0) throw new UsageError(`Unknown argument "${positionals[0]}".`);
  const [mail, url] = [flags.mail, flags.url].map((value) => (typeof value === 'string' ? value : undefined));
  if (mail !== undefined && !isEmail(mail, { require_tld: false })) {
    throw new UsageError(`"${mail}" is not an e-mail address.`);
  }
  if (url !== undefined && !/^https?:\/\/[^/]/.test(url)) throw new UsageError(`"${url}" is not a URL.`);
  return { tries: flags.files === true, mail, url };
}

/** A database that cannot be reached is a finding, so that the other checks still run. */
async function examineDatabase(settings: Settings): Promise<DoctorFinding[]> {
  const { DATABASE_URL: url } = settings;
  // The doctor signs no tokens, so any key will do.
  if (url !== undefined) settings.JWT_SECRET ??= randomBytes(32).toString('hex');
  try {
    return await (url === undefined ? examineEmbedded(settings) : examine({ url }, settings));
  } catch (error) {
    return [fault(explain(error))];
  }
}

await runCommand({
  usage: USAGE,
  options: {
    json: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    mail: { type: 'string' },
    url: { type: 'string' },
  },
  async run(args) {
    const { tries, mail, url } = readOptions(args);
    const settings = readSettings(process.env, { secrets: ['PEPPER'] });
    const findings = [
      ok('The settings are valid.'),
      ...(await examineDatabase(settings)),
      await examineMail(settings, mail),
      ...(await examineFileStore(settings, { tries })),
      ...(url === undefined ? [] : await examineService(url)),
    ];
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
    if (args.flags.json === true) return [JSON.stringify(findings, undefined, 2)];
    return findings.map(({ state, text }) => `${state.padEnd(7)}  ${text}`);
  },
});
