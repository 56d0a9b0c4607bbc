import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

/** What global-teardown.ts ends. */
export interface TestRun {
  processes: ChildProcess[];
  close(): void;
}

declare global {
  var testRun: TestRun | undefined;
}

/** The sources run in processes of their own as they do in the service; jest's own set-up code cannot load them. */
const LOADER = ['--import', '@swc-node/register/esm-register'];

/**
 * Starts one PostgreSQL for the whole run, with the migrated template that every instance of the service clones, and
 * the app hosts when test files ask for them, one per worker. All files of a run are below TEST_DIR. Where
 * TEST_POSTGRES says that there is a PostgreSQL already, that one serves.
 */
export default async function setUp(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'worksmith-test-'));
  // Where the tests run as root, PostgreSQL runs as another user, who has to read this folder.
  chmodSync(directory, 0o755);
  process.env.TEST_DIR = directory;
  process.env.TMPDIR = directory;
  const processes: ChildProcess[] = [];
  const start = async (program: string, ...args: string[]): Promise<unknown> => {
    const child = fork(`test/support/${program}.ts`, args, { execArgv: LOADER });
    processes.push(child);
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} did not start (${code})`))),
    ])) as [unknown];
    return message;
  };
  const hosts = startHosts(async () => `http://127.0.0.1:${String(await start('app-host'))}`);
  await once(hosts, 'listening');
  process.env.TEST_HOSTS = `http://127.0.0.1:${(hosts.address() as AddressInfo).port}`;
  globalThis.testRun = { processes, close: () => void hosts.close() };
  process.env.TEST_POSTGRES ??= JSON.stringify(await start('postgres'));
}

/** Answers each worker with the address of its app host, which it starts at the first question. */
function startHosts(startHost: () => Promise<string>) {
  const hosts = new Map<number, Promise<string>>();
  const hostFor = async (request: IncomingMessage): Promise<string> => {
    const { worker } = (await json(request)) as { worker: number };
    const host = hosts.get(worker) ?? startHost();
    hosts.set(worker, host);
    return host;
  };
  const server = createServer((request, response) => {
    hostFor(request).then(
      (result) => response.end(JSON.stringify({ result })),
      (error: Error) => response.end(JSON.stringify({ error: error.message })),
    );
  });
  return server.listen(0, '127.0.0.1');
}
