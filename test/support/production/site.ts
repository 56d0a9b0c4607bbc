import { once } from 'node:events';
import { request } from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort, ServiceProcess } from '../service.js';
import { copyForUser, RunningProgram } from './programs.js';
import { until } from './servers.js';

const REPLICAS = 2;
export const ADMIN = { email: 'ada@example.org', password: 'a-garden-with-three-ponds' };

/** The settings of deploy/compose.yaml, with addresses of this machine. */
const SETTINGS = {
  JWT_SECRET: 'a-signing-key-for-production-0123456789',
  PEPPER: 'a-pepper-for-production-0123456789-abcdef',
  MAIL: 'files',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  TRUSTED_PROXIES: '127.0.0.1',
  HOST: '127.0.0.1',
  DRAIN_MS: '3000',
  WEBHOOK_HTTP: 'true',
  WEBHOOK_ALLOW: '127.0.0.0/8',
  LIMIT_WRITES_PER_MINUTE: '100000',
  // A busy machine is no reason to fail.
  SEARCH_TIMEOUT_MS: '60000',
  DATABASE_CHECKOUT_MS: '60000',
};

/** The settings of a database: DATABASE_URL, and DATABASE_DIRECT_URL if that is a pooler. */
export type DatabaseSettings = Record<string, string>;

/** Runs a command of the service to its end; returns its exit code and its output. */
export async function runCommand(
  name: string,
  words: string[],
  database: DatabaseSettings,
): Promise<[number | null, string]> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'worksmith-command-'));
  const command = new ServiceProcess({ ...SETTINGS, DATA_DIR, ...database }, `src/${name}.ts`, undefined, words);
  return [await command.exit(), command.output];
}

/** Starts one replica that is expected to end by itself. */
export const failedStart = (database: DatabaseSettings): Promise<[number | null, string]> =>
  runCommand('main', [], { PORT: '0', DATABASE_WAIT_SECONDS: '0', ...database });

/** Replicas behind haproxy with deploy/haproxy.cfg. */
export class Site {
  private constructor(
    readonly base: string,
    private readonly replicas: ServiceProcess[],
    private readonly proxy: RunningProgram,
  ) {}

  static async start(database: DatabaseSettings): Promise<Site> {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'worksmith-site-'));
    const ports = [await freePort(), await freePort()].slice(0, REPLICAS);
    const replicas = ports.map(
      (port) => new ServiceProcess({ ...SETTINGS, DATA_DIR, PORT: String(port), ...database }),
    );
    for (const replica of replicas) await replica.says('"msg":"listening');
    const [port, nowhere] = [await freePort(), await freePort()];
    const proxy = new RunningProgram('TERM', '/usr/sbin/haproxy', ['-db', '-f', copyForUser('deploy/haproxy.cfg')], {
      PROXY_BIND: `127.0.0.1:${port}`,
      NAME_SERVER: '127.0.0.1:1',
      REPLICA_1: `127.0.0.1:${ports[0]}`,
      REPLICA_2: `127.0.0.1:${ports[1]}`,
      REPLICA_3: `127.0.0.1:${nowhere}`,
    });
    const base = `http://127.0.0.1:${port}`;
    await until('a ready site', () =>
      fetch(`${base}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return new Site(base, replicas, proxy);
  }

  /** What the replicas wrote. */
  get log(): string {
    return this.replicas.map(({ output }) => output).join('\n');
  }

  async end(): Promise<void> {
    for (const replica of this.replicas) replica.signal('SIGTERM');
    for (const replica of this.replicas) await replica.exit();
    await this.proxy.end();
  }
}

/** Parsed JSON, of which the tests know the shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  type: string | undefined;
  body: Json;
}

/** Sends one request over a new connection. The declared length can differ from that of the body. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Answer> {
  const sent = request(url, { method, headers: { connection: 'close', ...headers } });
  // An answer that comes before the whole body was sent is read all the same.
  sent.on('error', () => undefined);
  if (headers['content-length'] !== undefined && body === undefined) sent.flushHeaders();
  else sent.end(body);
  const [response] = await once(sent, 'response');
  const read = await text(response);
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    body: read === '' ? {} : JSON.parse(read),
  };
}
