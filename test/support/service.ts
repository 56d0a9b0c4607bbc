import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBuilt } from '../../scripts/build.mjs';

const ROOT = process.cwd();
/** Makes a process end with the test run. */
const WITH_RUN = ['--import', `file://${ROOT}/test/support/end-with-run.mjs?port=${process.env.TEST_RUN_PORT}`];
/** Options of Node for processes that load the sources and end with the test run. */
export const SOURCE_OPTIONS = ['--import', `file://${ROOT}/scripts/typescript-loader.mjs`, ...WITH_RUN];
const SOURCES = join(ROOT, 'src');
let built: boolean | undefined;

/**
 * The arguments of Node for a program of the service, which ends with the test run: for one of these sources what was
 * built of it, if that is up to date, because loading the sources takes several seconds; a built file as it is.
 */
export function programArguments(program: string): string[] {
  const file = resolve(ROOT, program);
  if (/\.m?js$/.test(file)) return [...WITH_RUN, file];
  const name = relative(SOURCES, file);
  const isOwn = !name.startsWith('..') && (built ??= isBuilt());
  return isOwn ? [...WITH_RUN, join(ROOT, 'dist', name.replace(/\.ts$/, '.js'))] : [...SOURCE_OPTIONS, file];
}
/** A time limit for processes that hang; the error shows their output. */
const PATIENCE_MS = 300_000;

/** Runs the service or another of its programs in a separate process, as `npm start` does. */
export class ServiceProcess {
  output = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<number | null>;

  constructor(
    environment: Record<string, string>,
    program = 'src/main.ts',
    cwd = ROOT,
    args: string[] = [],
    uid?: number,
    node = process.execPath,
  ) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(node, [...programArguments(program), ...args], {
      cwd,
      ...(uid !== undefined && { uid, gid: uid }),
      env: { PATH, HOME, BCRYPT_COST: '4', TS_NODE_PROJECT: `${ROOT}/tsconfig.json`, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group, Ctrl-C does not signal it; it ends once, with the run.
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.exited = once(this.child, 'close').then(([code]) => code as number | null);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Waits for the end of the process and returns its exit code; null if a signal ended it. */
  async exit(): Promise<number | null> {
    return Promise.race([
      this.exited,
      sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
        throw new Error(`it did not end; its output:\n${this.output}`);
      }),
    ]);
  }

  /** Waits until the output contains the text. */
  async says(text: string): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; !this.output.includes(text); await sleep(20)) {
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`it never printed "${text}":\n${this.output}`);
    }
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Forwards a TCP port to a PostgreSQL that may listen on a Unix socket only, so that a DATABASE_URL can name it. */
export async function openTunnel(
  { host, port }: { host: string; port: number },
  at = 0,
): Promise<{ port: number; close(): void }> {
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
