import { once } from 'node:events';
import { Agent, createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { drain } from '../../src/platform/process/drain.js';
import { Shutdown } from '../../src/platform/process/shutdown.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';
import { freePort, openTunnel, ServiceProcess } from '../support/service.js';

const SECRETS = {
  JWT_SECRET: 'k3y-f0r-the-tests-of-ends-0123456789',
  PEPPER: 'p3pper-f0r-the-tests-of-ends-0123456789',
  MAIL: 'files',
};

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('a running service', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let tunnel: Awaited<ReturnType<typeof openTunnel>>;
  let other: Client;
  let watcher: Client;
  let service: ServiceProcess;
  let port: number;

  beforeEach(async () => {
    database = await cloneDatabase();
    tunnel = await openTunnel(database);
    other = new Client(database);
    other.on('error', () => undefined);
    await other.connect();
    watcher = new Client(database);
    await watcher.connect();
    const { user, password = '', database: name } = database;
    port = await freePort();
    service = new ServiceProcess({
      DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${tunnel.port}/${name}`,
      PORT: String(port),
      // Long enough to be observed on a busy machine.
      DRAIN_MS: '5000',
      ...SECRETS,
    });
    await service.says('"msg":"listening');
  });

  afterEach(async () => {
    service.signal('SIGKILL');
    await service.exit();
    await Promise.all([other.end(), watcher.end()]);
    tunnel.close();
    await dropDatabase(database);
  });

  const ready = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );

  /** Sends a sign-in that waits until the lock on the table is released. */
  async function slowRequest(): Promise<{ response: Promise<Response> }> {
    await other.query('BEGIN');
    await other.query('LOCK TABLE users');
    const response = fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'unknown@example.test', password: 'a river of quiet lamps' }),
    });
    response.catch(() => undefined);
    while ((await watcher.query(WAITING)).rowCount === 0) await sleep(10);
    return { response };
  }

  it('that gets a signal reports that it is not ready, answers open requests, and ends', async () => {
    const { response } = await slowRequest();
    service.signal('SIGTERM');
    const seen = [await ready()];
    while (seen.at(-1) !== 0) seen.push(await ready());
    expect([...new Set(seen)].filter((status) => status !== 200)).toEqual([503, 0]);
    await other.query('COMMIT');
    const { status, headers } = await response;
    // 503 if the request has waited longer for the table than the service waits for locks.
    expect([401, 503]).toContain(status);
    expect(headers.get('connection')).toBe('close');
    expect(await service.exit()).toBe(0);
  });

  it('that gets a second signal ends at once', async () => {
    await slowRequest();
    service.signal('SIGINT');
    while ((await ready()) !== 503) await sleep(10);
    service.signal('SIGINT');
    expect(await service.exit()).toBe(1);
  });

  it('survives the loss of all its connections to the database', async () => {
    expect(await ready()).toBe(200);
    const { rowCount } = await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'worksmith'`,
    );
    expect(rowCount).toBeGreaterThan(0);
    const responses = [await ready()];
    while (responses.at(-1) !== 200) responses.push(await ready());
    expect(responses).not.toContain(0);
    service.signal('SIGTERM');
    expect(await service.exit()).toBe(0);
  });
});

describe('draining', () => {
  let server: Server;
  let url: string;

  beforeEach(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/stuck') response.end('done');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  it('does not wait for idle connections', async () => {
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => {
      get(`${url}/`, { agent }, (response) => response.resume().on('end', () => resolve()));
    });
    // Otherwise this would wait for a day.
    await drain(server, 86_400_000);
    agent.destroy();
  });

  it('closes connections whose requests take too long', async () => {
    const stuck = fetch(`${url}/stuck`).catch((error: unknown) => error);
    await once(server, 'request');
    await drain(server, 200);
    expect(String(await stuck)).toContain('fetch failed');
  });
});

describe('the shutdown', () => {
  it('closes everything that was opened, once and in reverse order, even if one of them fails', async () => {
    const done: string[] = [];
    const codes: number[] = [];
    const shutdown = new Shutdown(
      (problem) => void done.push(String(problem)),
      (code) => void codes.push(code),
    );
    const starting = shutdown.during(sleep(50).then(() => void done.push('started')));
    shutdown.opened(async () => void done.push('database'));
    shutdown.opened(() => Promise.reject(new Error('no')));
    shutdown.opened(async () => void done.push('port'));
    await Promise.all([shutdown.end(0), shutdown.end(1), starting]);
    expect(done).toEqual(['started', 'port', 'Error: no', 'database']);
    expect(codes).toEqual([0]);
  });
});
