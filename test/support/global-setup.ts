import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The processes and files of a test run; global-teardown.ts ends it. */
export interface TestRun {
  end(): Promise<void>;
}

declare global {
  var testRun: TestRun | undefined;
}

const isDeep = process.env.TEST_DEPTH !== undefined;

/**
 * Every instance of the service has a database of 1,300 files. Creating them takes half a second on a disk, and a
 * twentieth of that in memory.
 */
const IN_MEMORY = '/dev/shm';
/** Several times the size of the databases of a run; with less free memory they are on disk. */
const ROOM_BYTES = 4 * 1024 ** 3;

const BUILD = `await (await import('./scripts/build.mjs')).ensureBuilt();`;

/**
 * Compiles the service and the helper processes into a folder of the run, which takes a tenth of the time in which one
 * helper process loads their sources. dist/ is not used, because a service that runs there loads modules later.
 */
const COMPILE = `
  const { compileFolder } = await import('./scripts/build.mjs');
  const [folder] = process.argv.slice(1);
  await Promise.all(['src', 'test/support'].map((name) => compileFolder(name, folder + '/' + name)));`;
/** What the compiled service reads in the folder of the project. */
const BESIDE_SOURCES = ['node_modules', 'package.json', 'explorer', '.git'];

/**
 * Serves the URL in TEST_HELPERS, whose paths start a helper process at the first request: `/postgres`, one server for
 * the whole run with the migrated template that every instance of the service clones, and `/app-host/<worker>`, the
 * process that runs the service for a worker. Unit tests request neither. All files of a run are below TEST_DIR, those
 * of the PostgreSQL server below TEST_DATABASE_DIR. Processes that tests start connect to TEST_RUN_PORT. TEST_POSTGRES
 * names an existing PostgreSQL server to use instead.
 */
export default async function setUp(): Promise<void> {
  // The processes that deep suites start run what was built (service.ts), because loading the sources takes seconds.
  if (isDeep) execFileSync(process.execPath, ['--input-type=module', '--eval', BUILD], { stdio: 'inherit' });
  const directory = makeDirectory(tmpdir());
  const databaseDirectory = hasRoom(IN_MEMORY) ? makeDirectory(IN_MEMORY) : directory;
  process.env.TEST_DIR = directory;
  process.env.TEST_DATABASE_DIR = databaseDirectory;
  process.env.TMPDIR = directory;
  const programs = compileInto(join(directory, 'programs'));
  const processes: ChildProcess[] = [];
  const start = async (program: string): Promise<unknown> => {
    const child = fork(join(programs, 'test/support', `${program}.js`), { execArgv: ['--enable-source-maps'] });
    processes.push(child);
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} did not start (${code})`))),
    ])) as [unknown];
    return message;
  };
  const helpers = serveHelpers((path) => {
    if (path !== '/postgres') return start('app-host');
    const { TEST_POSTGRES: given } = process.env;
    return given === undefined ? start('postgres') : Promise.resolve(JSON.parse(given));
  });
  await once(helpers, 'listening');
  process.env.TEST_HELPERS = `http://127.0.0.1:${(helpers.address() as AddressInfo).port}`;
  const running = trackProcesses();
  await once(running.server, 'listening');
  process.env.TEST_RUN_PORT = String((running.server.address() as AddressInfo).port);
  const end = async (): Promise<void> => {
    helpers.close();
    await running.end();
    await Promise.all(processes.map(stop));
    for (const made of [directory, databaseDirectory]) rmSync(made, { recursive: true, force: true });
  };
  globalThis.testRun = { end };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void end().finally(() => process.kill(process.pid, signal)));
  }
}

function makeDirectory(parent: string): string {
  const directory = mkdtempSync(join(parent, 'worksmith-test-'));
  // If the tests run as root, PostgreSQL runs as another user, who needs access to this folder.
  chmodSync(directory, 0o755);
  return directory;
}

function compileInto(folder: string): string {
  mkdirSync(folder);
  for (const name of BESIDE_SOURCES) if (existsSync(name)) symlinkSync(join(process.cwd(), name), join(folder, name));
  execFileSync(process.execPath, ['--input-type=module', '--eval', COMPILE, folder], { stdio: 'inherit' });
  return folder;
}

function hasRoom(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return Math.min(bavail * bsize, freemem()) > ROOM_BYTES;
}

/** Responds with the message that a helper sends when it is ready. The first request starts the helper. */
function serveHelpers(start: (path: string) => Promise<unknown>) {
  const helpers = new Map<string, Promise<unknown>>();
  const helper = (path: string): Promise<unknown> => {
    const known = helpers.get(path) ?? start(path);
    helpers.set(path, known);
    return known;
  };
  const server = createServer(({ url = '' }, response) => {
    // An app host soon needs a database, so both start at the same time.
    if (url.startsWith('/app-host')) helper('/postgres').catch(() => undefined);
    helper(url).then(
      (result) => response.end(JSON.stringify({ result })),
      (error: Error) => response.end(JSON.stringify({ error: error.message })),
    );
  });
  // A worker that loads the sources sends nothing for longer than the default of five seconds.
  server.keepAliveTimeout = 0;
  return server.listen(0, '127.0.0.1');
}

/** Each process that a test starts holds a connection until it has ended (end-with-run.mjs). */
function trackProcesses() {
  const connections = new Set<Socket>();
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket.resume());
    // A process that is killed resets its connection.
    socket.on('error', () => undefined).once('close', () => connections.delete(socket));
  });
  const end = async (): Promise<void> => {
    server.close();
    const closed = [...connections].map((socket) => new Promise((resolve) => socket.end().once('close', resolve)));
    await Promise.all(closed);
  };
  return { server: server.listen(0, '127.0.0.1'), end };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  if (child.connected) child.disconnect();
  await gone;
}
