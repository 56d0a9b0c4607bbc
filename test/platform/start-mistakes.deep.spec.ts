import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startTimeOf } from '../../src/embedded-postgres/processes.js';
import { cloneDatabase, dropDatabase, type TestConnection } from '../support/database.js';
import { startRejectingPostgres } from '../support/refusing-server.js';
import { freePort, openTunnel, ServiceProcess } from '../support/service.js';

/** A wrong way to start the service, and the message that it prints. */
interface Mistake {
  environment: Record<string, string>;
  says: string;
  program?: string;
  /** The user that the service runs as; only root can choose it. */
  uid?: number;
}

const SECRETS = {
  JWT_SECRET: 'k3y-f0r-the-tests-of-mistakes-0123456789',
  PEPPER: 'p3pper-f0r-the-tests-of-mistakes-0123456789',
  MAIL: 'files',
};
const UNPRIVILEGED_UID = 65_534;
const isRoot = process.getuid?.() === 0;
let folder: string;
let data: string;
let database: TestConnection;
let tunnel: { port: number; close(): void };
const opened: (() => void)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'worksmith-mistakes-'));
  chmodSync(folder, 0o755);
  database = await cloneDatabase();
  tunnel = await openTunnel(database);
});

afterAll(async () => {
  for (const close of opened) close();
  tunnel.close();
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

beforeEach(() => {
  data = join(mkdtempSync(join(folder, 'start-')), 'data');
  chmodSync(join(data, '..'), 0o755);
});

/** The environment of a service with a DATABASE_URL. */
const given = (port: number, name = database.database): Record<string, string> => ({
  ...SECRETS,
  DATABASE_URL: `postgres://${database.user}:${database.password ?? ''}@127.0.0.1:${port}/${name}`,
  DATABASE_WAIT_SECONDS: '0',
});

async function refusingWith(state: string, words: string): Promise<Record<string, string>> {
  const server = await startRejectingPostgres(state, words);
  opened.push(() => server.close());
  return given(server.port, 'work');
}

async function databaseAfter(sql: string): Promise<Record<string, string>> {
  const changed = await cloneDatabase();
  const client = new Client(changed);
  await client.connect();
  await client.query(sql);
  await client.end();
  opened.push(() => void dropDatabase(changed));
  return given(tunnel.port, changed.database);
}

const settings = (says: string, environment: Record<string, string>) => (): Mistake => ({
  environment,
  says: `The configuration is invalid: ${says}`,
});

const fullDisk = (size: string) => (): Mistake => {
  const disk = data;
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk]);
  opened.push(() => void execFileSync('umount', [disk]));
  return {
    environment: { DATA_DIR: data },
    says: `The disk of DATA_DIR ${data} is full. Free some space, or use a folder on another disk: DATA_DIR=<folder> npm start`,
  };
};

const MISTAKES: Record<string, () => Mistake | Promise<Mistake>> = {
  'a port that is taken': async () => {
    const other = createServer().listen(0, '0.0.0.0');
    await once(other, 'listening');
    opened.push(() => other.close());
    const { port } = other.address() as { port: number };
    return {
      environment: { ...given(tunnel.port), PORT: String(port) },
      says: `The service cannot listen on 0.0.0.0:${port}: the port is in use. Stop the process that uses it, or choose another port: PORT=3001 npm start`,
    };
  },
  'an address of another machine': () => ({
    environment: { ...given(tunnel.port), HOST: '192.0.2.1' },
    says: 'The service cannot listen on 192.0.2.1:3000: 192.0.2.1 is not an address of this machine. Use one of its addresses, or all of them: HOST=0.0.0.0 npm start',
  }),
  'an address with a port in it': settings(
    'HOST must be an IP address of this machine such as 127.0.0.1, or 0.0.0.0 for all of its addresses.',
    { HOST: 'localhost:3000' },
  ),
  'a port that is a word': settings('PORT must be an integer number.', { PORT: 'http' }),
  'a data directory that is a file': () => {
    writeFileSync(data, '');
    return {
      environment: { DATA_DIR: data },
      says: `DATA_DIR ${data} is not a folder. Use a new or empty folder.`,
    };
  },
  'a data directory with files of another program': () => {
    mkdirSync(data);
    writeFileSync(join(data, 'notes.txt'), 'mine');
    return {
      environment: { DATA_DIR: data },
      says: `DATA_DIR ${data} contains files that do not belong to Worksmith. Use a new or empty folder: DATA_DIR=<folder> npm start`,
    };
  },
  'a data directory that another instance uses': () => {
    mkdirSync(data);
    writeFileSync(join(data, '.worksmith'), '');
    writeFileSync(
      join(data, 'service.lock'),
      JSON.stringify({ token: 'other', pid: process.pid, birth: startTimeOf(process.pid) }),
    );
    return {
      environment: { DATA_DIR: data },
      says: `The database in ${data} is already in use by process ${process.pid}. Stop that service first, or set another DATA_DIR or a DATABASE_URL for this one.`,
    };
  },
  'a data directory that it cannot write': () => {
    const closed = join(data, '..', 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o555);
    return {
      environment: { DATA_DIR: join(closed, 'data') },
      uid: isRoot ? UNPRIVILEGED_UID : undefined,
      says: `DATA_DIR ${join(closed, 'data')} is not writable for this user. Change its owner, or use another folder: DATA_DIR=<folder> npm start`,
    };
  },
  'a data directory in a file system that has no folders for it': () => ({
    environment: { DATA_DIR: '/proc/data' },
    says: 'DATA_DIR /proc/data is not writable for this user. Change its owner, or use another folder: DATA_DIR=<folder> npm start',
  }),
  'a database URL of another product': settings(
    'DATABASE_URL must have the form postgres://user:password@host:5432/database; percent-encode special characters in the password (@ becomes %40).',
    { ...SECRETS, DATABASE_URL: 'mysql://root@localhost/work' },
  ),
  'a database that cannot be reached': async () => {
    const port = await freePort();
    return {
      environment: given(port),
      says: `The database is unreachable (connect ECONNREFUSED 127.0.0.1:${port}). Check that it is running, and the host and port in DATABASE_URL.`,
    };
  },
  'a wrong password': async () => ({
    environment: await refusingWith('28P01', 'password authentication failed for user "worksmith"'),
    says: 'The database rejected the connection: password authentication failed for user "worksmith". Check the user and the password in DATABASE_URL.',
  }),
  'a database that does not exist': () => ({
    environment: given(tunnel.port, 'no_such_database'),
    says: 'The database rejected the connection: database "no_such_database" does not exist. Create it, or use another database in DATABASE_URL.',
  }),
  'a database without room for more connections': async () => ({
    environment: { ...(await refusingWith('53300', 'sorry, too many clients already')) },
    program: 'src/migrate.ts',
    says: 'The database rejected the connection: sorry, too many clients already. Lower DATABASE_POOL on the replicas, or raise max_connections on the server.',
  }),
  'a database that was never migrated': async () => ({
    environment: await databaseAfter('DROP SCHEMA public CASCADE; CREATE SCHEMA public'),
    says: 'migration(s) of this release have not been applied to the database, the first is',
  }),
  'a database that lacks the last migration': async () => ({
    environment: await databaseAfter('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)'),
    says: '1 migration(s) of this release have not been applied to the database, the first is',
  }),
  'a database that lacks a migration of before the baseline': async () => ({
    environment: await databaseAfter(`UPDATE migrations SET name = 'Entities1763700000001' WHERE id = 1`),
    program: 'src/migrate.ts',
    says: 'migrations before its baseline have not been applied, the first is People1763700000002. Nothing was changed. Start the commit',
  }),
  'a database from which a newer build has removed what this one uses': async () => ({
    environment: await databaseAfter(
      `INSERT INTO migrations (timestamp, name) VALUES (9763700000001, 'Later9763700000001');
       UPDATE schema_requirements SET least_schema = 9763700000001`,
    ),
    says: 'This release is too old for the database: a newer one has removed what it uses (Later9763700000001). Start the newer release.',
  }),
  'a setting with a letter missing': settings(
    'LIMIT_LOGIN_PER_MINUT is not a setting; use LIMIT_LOGIN_PER_MINUTE instead.',
    { LIMIT_LOGIN_PER_MINUT: '20' },
  ),
  'a setting without its underscore': settings('DATABASEURL is not a setting; use DATABASE_URL instead.', {
    DATABASEURL: 'postgres://localhost/work',
  }),
  'an unknown limit': settings('LIMIT_TASKS_PER_DAY is not a setting.', { LIMIT_TASKS_PER_DAY: '5' }),
  'every origin for browsers': settings(
    'CORS_ORIGINS must be a comma-separated list of origins such as https://app.example.org, without a path; * is not accepted.',
    { CORS_ORIGINS: '*' },
  ),
  'a sender that is not an address': settings(
    'MAIL_FROM must be an e-mail address such as worksmith@example.org or Worksmith <worksmith@example.org>.',
    { MAIL_FROM: 'nonsense' },
  ),
  'no mail server in production': settings('SMTP_URL must be set; to write mail to files instead, set MAIL=files.', {
    NODE_ENV: 'production',
    BCRYPT_COST: '10',
  }),
  'passwords that are quick to guess in production': settings(
    'BCRYPT_COST must be at least 10 in production, where passwords must be slow to guess.',
    { NODE_ENV: 'production', BCRYPT_COST: '9', MAIL: 'files' },
  ),
  'one secret for two purposes': settings('JWT_SECRET and PEPPER are the same; a secret must have one purpose.', {
    JWT_SECRET: SECRETS.PEPPER,
    PEPPER: SECRETS.PEPPER,
  }),
  'a placeholder for a secret': settings('JWT_SECRET looks like a placeholder; use at least 32 random bytes.', {
    JWT_SECRET: 'changeme-changeme-changeme-changeme',
  }),
  'a weak password of the first administrator': () => ({
    environment: { ...given(tunnel.port), ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'password1234' },
    says: 'ADMIN_PASSWORD',
  }),
};

/** Only root can mount a file system. */
const MISTAKES_AS_ROOT: typeof MISTAKES = {
  'a disk that is full': fullDisk('4m'),
  'a disk that a new database fills': fullDisk('20m'),
};

/** Creates a folder where swc can unpack its native code, because this user cannot write to node_modules. */
function temporaryFolderOf(uid: number): { TMPDIR: string } {
  const path = mkdtempSync(join(folder, 'tmp-'));
  chownSync(path, uid, uid);
  return { TMPDIR: path };
}

describe('a failing start prints one sentence with the reason and the remedy, after', () => {
  const printsOnlyTheSentence = async (_: string, make: () => Mistake | Promise<Mistake>): Promise<void> => {
    const { environment, says, program, uid } = await make();
    const cwd = mkdtempSync(join(folder, 'cwd-'));
    chmodSync(cwd, 0o755);
    symlinkSync(join(process.cwd(), 'node_modules'), join(cwd, 'node_modules'));
    const values = { DATA_DIR: data, PORT: '3000', ...environment, ...(uid !== undefined && temporaryFolderOf(uid)) };
    const service = new ServiceProcess(values, program, cwd, [], uid);
    expect(await service.exit()).toBe(1);
    const sentences = service.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(sentences).toEqual([expect.stringContaining(says)]);
    expect(service.output).not.toMatch(/^ +at |"level":"error"/m);
    expect(existsSync(join(data, 'cluster'))).toBe(false);
    expect(readdirSync(cwd)).toEqual(['node_modules']);
  };

  it.each(Object.entries(MISTAKES))('%s', printsOnlyTheSentence);
  (isRoot ? it : it.skip).each(Object.entries(MISTAKES_AS_ROOT))('%s', printsOnlyTheSentence);
});
