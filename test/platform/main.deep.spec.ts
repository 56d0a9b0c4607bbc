import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getMetadataStorage } from 'class-validator';
import { Client } from 'pg';
import { Settings } from '../../src/platform/config/settings.js';
import { servesDirectory } from '../../src/embedded-postgres/processes.js';
import { readPidFile } from '../../src/embedded-postgres/pid-file.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';
import { mailsTo } from '../support/mailbox.js';
import { freePort, openTunnel, ServiceProcess } from '../support/service.js';

const SECRETS = {
  JWT_SECRET: 'k3y-f0r-the-tests-of-main-0123456789',
  PEPPER: 'p3pper-f0r-the-tests-of-main-0123456789',
  MAIL: 'files',
};

let directory: string;
let dataDir: string;
const processes: ServiceProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'worksmith-main-'));
  chmodSync(directory, 0o755);
  dataDir = join(directory, 'data');
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
});

afterEach(async () => {
  for (const service of processes.splice(0)) {
    service.signal('SIGKILL');
    await service.exit();
  }
  const pid = serverPid();
  if (servesDirectory(pid, join(dataDir, 'cluster'))) process.kill(pid, 'SIGQUIT');
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function start(environment: Record<string, string>, program?: string): ServiceProcess {
  const service = new ServiceProcess({ DATA_DIR: dataDir, ...environment }, program, directory);
  processes.push(service);
  return service;
}

const serverPid = (): number => readPidFile(join(dataDir, 'cluster'))?.pid ?? 0;

const isServed = (): boolean => servesDirectory(serverPid(), join(dataDir, 'cluster'));

async function post(
  port: number,
  path: string,
  body: object,
): Promise<{ status: number; data: Record<string, string> }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data } = (await response.json()) as { data: Record<string, string> };
  return { status: response.status, data };
}

async function codeMailedTo(email: string): Promise<string> {
  for (;;) {
    const code = mailsTo(email, join(dataDir, 'mail')).at(0)?.code;
    if (code !== undefined) return code;
    await sleep(20);
  }
}

describe('npm start on a bare machine', () => {
  it('creates a database, an administrator, keys and mail files, and finds all of it again after kill -9', async () => {
    const port = await freePort();
    const first = start({ PORT: String(port) });
    await first.says('"msg":"listening');
    expect(first.output).toContain(`http://localhost:${port}/docs`);
    const { administrator: email, password } = startLine(first.output);
    const admin = await post(port, '/auth/login', { email, password });
    expect(admin.status).toBe(200);

    await post(port, '/auth/register', { name: 'Ann', email: 'ann@example.test', password: 'a river of quiet lamps' });
    const code = await codeMailedTo('ann@example.test');
    await first.says(`: ${code}`);
    const ann = await post(port, '/auth/verify', { email: 'ann@example.test', code });
    expect(ann.status).toBe(200);

    expect(startLine(first.output)).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: expect.stringMatching(/^PostgreSQL \d+/),
      settings: { DATA_DIR: dataDir, PORT: port, BCRYPT_COST: 4 },
      open_to_network: true,
      self_registration: true,
    });

    const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
    const pid = serverPid();
    first.signal('SIGKILL');
    await first.exit();
    expect(isServed()).toBe(true);

    const second = start({ PORT: String(port) });
    await second.says('"msg":"listening');
    expect(second.output).toContain('was already running and is used again');
    expect(startLine(second.output)).not.toHaveProperty('password');
    expect(serverPid()).toBe(pid);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
    const headers = { authorization: `Bearer ${ann.data.token}` };
    const whoami = await fetch(`http://127.0.0.1:${port}/api/v1/auth/whoami?x=hidden-value`, { headers });
    expect([200, 400]).toContain(whoami.status);
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);

    second.signal('SIGTERM');
    expect(await second.exit()).toBe(0);
    expect(isServed()).toBe(false);
    expect(second.output).toMatch(/"msg":"stopped"\}\n$/);
    expectHonestLog(first.output + second.output, [ann.data.token, 'hidden-value', 'quiet lamps']);
  });

  it('reports that the port is in use, and leaves no database behind', async () => {
    const other = createServer().listen(0, '0.0.0.0');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const service = start({ PORT: String(port) });
    expect(await service.exit()).toBe(1);
    expect(service.output).toContain(`cannot listen on 0.0.0.0:${port}: the port is in use`);
    expect(isServed()).toBe(false);
    other.close();
  });
});

/** The fields of the log line that the service writes once it listens. */
function startLine(output: string): Record<string, string> {
  const line = output.split('\n').find((text) => text.includes('"msg":"listening'));
  return JSON.parse(line ?? '{}') as Record<string, string>;
}

/** Expects one JSON object per line, without secrets or addresses. */
function expectHonestLog(output: string, secrets: string[]): void {
  const lines = output.split('\n').filter((line) => line !== '');
  const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ route }) => route);
  expect(requests.find(({ route }) => route === '/api/v1/auth/login')).toMatchObject({
    level: 'info',
    method: 'POST',
    status: 200,
    ms: expect.any(Number),
    request_id: expect.any(String),
    address: '127.0.0.1',
  });
  expect(requests.find(({ route }) => route === '/api/v1/auth/whoami')).toHaveProperty('user_id');
  for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret);
}

describe('settings', () => {
  it('that are invalid are all reported at once', async () => {
    const wrong = { PORT: 'many', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x', JWT_SECRET: 'short' };
    const service = start({ ...wrong, TRUSTED_PROXIES: '10.0.0.1,proxy' });
    expect(await service.exit()).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'JWT_SECRET', 'PEPPER', 'TRUSTED_PROXIES', 'SMTP_URL']) {
      expect(service.output).toContain(name);
    }
    expect(readdirSync(directory)).toEqual(['node_modules']);
  });

  it('are read from .env, unless the environment overrides them', async () => {
    writeFileSync(join(directory, '.env'), 'PORT=everywhere\nLOG_LEVEL=loud\n');
    const service = start({ LOG_LEVEL: 'info' });
    expect(await service.exit()).toBe(1);
    expect(service.output).toContain('PORT');
    expect(service.output).not.toContain('LOG_LEVEL');
  });

  it('are all explained in .env.example', () => {
    const explained = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z][A-Z_]+)=/gm)].map(
      ([, name]) => name,
    );
    const known = getMetadataStorage().getTargetValidationMetadatas(Settings, '', false, false);
    expect(explained.sort()).toEqual([...new Set(known.map(({ propertyName }) => propertyName))].sort());
  });
});

describe('the database in DATABASE_URL', () => {
  it('must be migrated before the start; concurrent migrations are safe, and older releases reject it', async () => {
    const connection = await cloneDatabase();
    const tunnel = await openTunnel(connection);
    const url = `postgres://${connection.user}:${connection.password ?? ''}@127.0.0.1:${tunnel.port}/${connection.database}`;
    const environment = { DATABASE_URL: url, PORT: String(await freePort()), ...SECRETS };
    const client = new Client(connection);
    client.on('error', () => undefined);
    await client.connect();

    await client.query('DROP SCHEMA public, confined CASCADE');
    await client.query('CREATE SCHEMA public');
    const refused = start(environment);
    expect(await refused.exit()).toBe(1);
    expect(refused.output).toContain('npm run migrate');

    const [one, two] = [start({ DATABASE_URL: url }, 'src/migrate.ts'), start({ DATABASE_URL: url }, 'src/migrate.ts')];
    expect(await Promise.all([one.exit(), two.exit()])).toEqual([0, 0]);
    expect([one, two].filter(({ output }) => output.includes('migration(s) applied'))).toHaveLength(1);
    expect([one, two].filter(({ output }) => output.includes('up to date'))).toHaveLength(1);

    const limited = new Client(connection);
    await limited.connect();
    const { rows } = await limited.query(`SELECT current_setting('statement_timeout') AS statement,
      current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`);
    expect(rows).toEqual([{ statement: '5s', lock: '2s', idle: '10s' }]);
    await limited.end();

    await client.query(`INSERT INTO migrations (timestamp, name) VALUES (9763700000001, 'Later9763700000001')`);
    const older = [start(environment), start({ DATABASE_URL: url }, 'src/migrate.ts')];
    expect(await Promise.all(older.map((each) => each.exit()))).toEqual([1, 1]);
    for (const { output } of older) expect(output).toContain('newer release (Later9763700000001)');
    await client.end();
    tunnel.close();
    await dropDatabase(connection);
  });

  it('can start later than the service', async () => {
    const connection = await cloneDatabase();
    const [port, at] = [await freePort(), await freePort()];
    const url = `postgres://${connection.user}:${connection.password ?? ''}@127.0.0.1:${at}/${connection.database}`;
    const service = start({ DATABASE_URL: url, PORT: String(port), LOG_LEVEL: 'info', ...SECRETS });
    await service.says('Retrying for 60 s.');
    const tunnel = await openTunnel(connection, at);
    await service.says('"msg":"listening');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    service.signal('SIGINT');
    expect(await service.exit()).toBe(0);
    tunnel.close();
    await dropDatabase(connection);
  });
});
