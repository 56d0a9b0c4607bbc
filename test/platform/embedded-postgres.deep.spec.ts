import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findBinaries } from '../../src/embedded-postgres/binaries.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { openHome } from '../../src/embedded-postgres/home.js';
import { readPidFile } from '../../src/embedded-postgres/pid-file.js';
import { processExists, servesDirectory } from '../../src/embedded-postgres/processes.js';
import { SOURCE_OPTIONS } from '../support/service.js';

const isRoot = process.getuid?.() === 0;
const startedProcesses: ChildProcess[] = [];
const startedServers: EmbeddedPostgres[] = [];
const directories: string[] = [];
/** Removals in progress. Some disks take a second to free flushed files, and the next test need not wait for that. */
const removals: Promise<void>[] = [];
let original = '';
let log: string[] = [];

beforeAll(async () => {
  original = emptyDirectory();
  const server = await start(original, { unsafeForTests: true });
  await ask(server, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await server.stop();
  directories.length = 0;
});

afterAll(async () => {
  await Promise.all([...removals, remove(original)]);
  // Fails if the folder contains other databases, which must stay.
  await rmdir('/var/lib/worksmith').catch(() => undefined);
});

afterEach(async () => {
  for (const child of startedProcesses.splice(0)) child.kill('SIGKILL');
  await Promise.all(startedServers.splice(0).map((server) => server.stop()));
  for (const directory of directories.splice(0)) {
    // SIGQUIT ends the server at once but, unlike SIGKILL, removes its shared memory.
    if (isServed(directory)) signalServer(directory, 'SIGQUIT');
    removals.push(remove(directory));
  }
  log = [];
});

function remove(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(os.tmpdir(), 'worksmith-test-'));
  // If the tests run as root, the server runs as another user, who needs access to this folder.
  chmodSync(directory, 0o755);
  directories.push(directory);
  return directory;
}

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: (message) => log.push(message), ...options });
  startedServers.push(server);
  return server;
}

/** Copies a database that was used and cleanly stopped; creating a new one takes ten times as long. */
function usedDirectory(): string {
  const directory = emptyDirectory();
  cpSync(original, directory, { recursive: true });
  return directory;
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Starts the server from a separate process, which can be killed. */
async function startElsewhere(dataDir: string, options = ''): Promise<ChildProcess> {
  const code = `
    import { startEmbeddedPostgres } from './src/embedded-postgres/embedded-postgres.ts';
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => undefined, ${options} });
    process.once('SIGTERM', () => void server.stop().finally(() => process.exit()));
    process.stdout.write('started');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, [...SOURCE_OPTIONS, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  startedProcesses.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function serverPid(directory: string): number | undefined {
  return readPidFile(join(directory, 'cluster'))?.pid;
}

/** Signals the server of that directory; throws if none is running, because pid 0 would signal the whole test run. */
function signalServer(directory: string, signal: NodeJS.Signals): number {
  const pid = serverPid(directory);
  if (pid === undefined) throw new Error(`no server runs in ${directory}`);
  process.kill(pid, signal);
  return pid;
}

const killServer = (directory: string): number => signalServer(directory, 'SIGKILL');

const isServed = (directory: string): boolean => servesDirectory(serverPid(directory) ?? 0, join(directory, 'cluster'));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(25);
}

describe('starting', () => {
  it('creates a durable database, and finds it again', async () => {
    const directory = emptyDirectory();
    const first = await start(directory);
    const settings = `SELECT current_setting(name) FROM unnest(ARRAY['fsync', 'full_page_writes', 'data_checksums',
      'server_encoding', 'listen_addresses', 'jit', 'max_connections']) WITH ORDINALITY AS s (name, n) ORDER BY n`;
    expect(await ask(first, settings)).toEqual(['on', 'on', 'on', 'UTF8', '', 'off', '100']);
    expect(await ask(first, `SELECT lower('ÄÖÜ'), current_database(), 'B' < 'a'`)).toEqual(['äöü', 'worksmith', true]);
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = serverPid(directory) ?? 0;
    await first.stop();
    expect(servesDirectory(pid, join(directory, 'cluster'))).toBe(false);
    // An ended child keeps its pid until its parent has reaped it.
    await until(() => !processExists(pid));
    expect(readdirSync(directory)).not.toContain('service.lock');

    const again = await start(directory);
    expect(again.dataDir).toBe(directory);
    expect(await ask(again, 'SELECT answer FROM kept')).toEqual([42]);
  });

  it('turns durability off only for tests', async () => {
    const server = await start(usedDirectory(), { unsafeForTests: true });
    expect(await ask(server, 'SHOW fsync')).toEqual(['off']);
    expect(await ask(server, 'SHOW max_connections')).toEqual(['200']);
  });

  it('creates a new database after an interrupted creation, and keeps the incomplete files', async () => {
    const directory = emptyDirectory();
    mkdirSync(join(directory, 'cluster.new', 'base'), { recursive: true });
    mkdirSync(join(directory, 'cluster'));
    writeFileSync(join(directory, 'cluster', 'PG_VERSION'), '18\n');
    const server = await start(directory);
    expect(await ask(server, 'SELECT 1')).toEqual([1]);
    expect(readdirSync(directory).filter((name) => name.startsWith('cluster.'))).toEqual([
      expect.stringMatching(/^cluster\.incomplete-\d+$/),
    ]);
    expect(log.join('\n')).toContain('not a complete data directory');
  });

  it('ignores a pid file that is empty, stale or contains the pid of an unrelated process', async () => {
    const directory = usedDirectory();
    const { account } = openHome(directory, () => undefined);
    const stranger = spawn('sleep', ['60'], { ...account, stdio: 'ignore' });
    startedProcesses.push(stranger);
    const pidFile = join(directory, 'cluster', 'postmaster.pid');
    const contents = (pid: number | undefined) =>
      `${pid}\n${join(directory, 'cluster')}\n0\n5432\n/tmp\n\n0 0\nready   \n`;

    for (const content of ['', contents(4_194_300), contents(stranger.pid)]) {
      writeFileSync(pidFile, content);
      const server = await start(directory);
      expect(await ask(server, 'SELECT answer FROM kept')).toEqual([42]);
      await server.stop();
    }
    expect(stranger.exitCode).toBeNull();
  });
});

describe('listening', () => {
  afterEach(() => jest.restoreAllMocks());

  it('uses a short socket directory if the path is too long, and removes it', async () => {
    const server = await start(join(emptyDirectory(), 'x'.repeat(100)));
    const { host } = server.connection;
    expect(host).toMatch(/worksmith-[0-9a-f]{10}$/);
    expect(await ask(server, 'SELECT 1')).toEqual([1]);
    await server.stop();
    expect(existsSync(host)).toBe(false);
  });

  it('uses the loopback address with a password if every socket path is too long', async () => {
    const long = join(emptyDirectory(), 'x'.repeat(100));
    mkdirSync(long);
    jest.spyOn(os, 'tmpdir').mockReturnValue(long);
    const server = await start(join(long, 'data'));
    expect(server.connection).toMatchObject({ host: '127.0.0.1', password: expect.stringMatching(/^.{32}$/) });
    expect(await ask(server, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
    const connection = { ...server.connection, password: 'a guess' };
    await expect(ask({ ...server, connection }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });
});

describe('after a process was killed', () => {
  it('takes over the server that a killed service left running, and stops it at the end', async () => {
    const directory = usedDirectory();
    const service = await startElsewhere(directory);
    const pid = serverPid(directory) ?? 0;
    await expect(start(directory)).rejects.toThrow(`already in use by process ${service.pid}`);
    await killed(service);

    const server = await start(directory);
    expect(serverPid(directory)).toBe(pid);
    expect(log.join('\n')).toContain('was already running and is used again');
    expect(await ask(server, 'SELECT 1')).toEqual([1]);
    await server.stop();
    expect(servesDirectory(pid, join(directory, 'cluster'))).toBe(false);
  });

  it('restarts a killed server at the same address, each time', async () => {
    const onUnexpectedExit = jest.fn();
    const directory = usedDirectory();
    const server = await start(directory, { onUnexpectedExit });
    for (const round of [1, 2]) {
      const pid = killServer(directory);
      // A server killed again before its supervisor has seen it ready belongs to the same outage.
      await until(() => log.filter((message) => message.includes('is available again')).length === round);
      expect(serverPid(directory)).not.toBe(pid);
      expect(await ask(server, 'SELECT answer FROM kept')).toEqual([42]);
      expect(onUnexpectedExit).toHaveBeenCalledTimes(round);
    }
  });

  it('can be stopped while it restarts a killed server', async () => {
    const directory = usedDirectory();
    const server = await start(directory);
    killServer(directory);
    await until(() => log.some((message) => message.includes('ended unexpectedly')));
    await server.stop();
    expect(isServed(directory)).toBe(false);
    // This start also removes the shared memory that the killed server left.
    expect(await ask(await start(directory), 'SELECT answer FROM kept')).toEqual([42]);
  });
});

describe('rejecting', () => {
  it.each([
    ['no process holds', ''],
    ['a dead process holds', JSON.stringify({ token: 'old', pid: 4_194_300, birth: '1' })],
    [
      'an earlier process held whose pid is in use again',
      JSON.stringify({ token: 'old', pid: process.pid, birth: '1' }),
    ],
  ])('lets only one of two concurrent starts use a directory that %s', async (_, lock) => {
    const directory = usedDirectory();
    if (lock) writeFileSync(join(directory, 'service.lock'), lock);
    const outcomes = await Promise.allSettled([1, 2].map(() => start(directory, { unsafeForTests: true })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refusal] = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refusal?.reason).toMatchObject({
      message: expect.stringContaining(`already in use by process ${process.pid}`),
    });
  });

  it('does not use data whose settings turn durability off', async () => {
    const directory = usedDirectory();
    writeFileSync(join(directory, 'cluster', 'postgresql.auto.conf'), 'full_page_writes = off\n');
    await expect(start(directory)).rejects.toThrow('full_page_writes switched off');
    expect(serverPid(directory)).toBeUndefined();
    expect(readdirSync(directory)).not.toContain('service.lock');
  });

  it('does not take over a server that runs without durability', async () => {
    const directory = usedDirectory();
    await killed(await startElsewhere(directory, 'unsafeForTests: true'));
    await expect(start(directory)).rejects.toThrow('fsync, full_page_writes switched off');
  });

  it('does not use data without checksums', async () => {
    const home = openHome(join(emptyDirectory(), 'data'), () => undefined);
    const { initdb } = findBinaries(home, () => undefined);
    const options = ['-D', home.cluster, '-U', 'worksmith', '--auth=trust', '--no-data-checksums', '--no-sync'];
    execFileSync(initdb, options, { ...home.account, cwd: home.directory, stdio: 'ignore' });
    await expect(start(home.directory)).rejects.toThrow('data_checksums switched off');
  });
});

(isRoot ? describe : describe.skip)('as root', () => {
  it('runs the server as another user', async () => {
    const directory = usedDirectory();
    await start(directory);
    const status = readFileSync(`/proc/${serverPid(directory)}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t[1-9]/m);
  });

  it('stores the data where that user has access, and logs the folder', async () => {
    const closed = emptyDirectory();
    chmodSync(closed, 0o700);
    const server = await start(join(closed, 'data'), { unsafeForTests: true });
    directories.push(server.dataDir);
    expect(server.dataDir).toMatch(/^\/var\/lib\/worksmith\/worksmith-test-.+-data-/);
    expect(log[0]).toContain(`the data is stored in ${server.dataDir}`);
  });
});
