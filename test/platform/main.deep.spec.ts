import { spawn } from 'node:child_process';
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
import { freePort, openTunnel, programArguments, ServiceProcess } from '../support/service.js';

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
    const explained = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(
      ([, name]) => name,
    );
    const known = getMetadataStorage().getTargetValidationMetadatas(Settings, '', false, false);
    expect(explained.sort()).toEqual([...new Set(known.map(({ propertyName }) => propertyName))].sort());
  });
});

describe('a service whose terminal is closed', () => {
  it('stops, and leaves no database behind', async () => {
    const program = [process.execPath, ...programArguments('src/main.ts')].join(' ');
    const { PATH = '', HOME = '' } = process.env;
    const settings = { DATA_DIR: dataDir, PORT: String(await freePort()), BCRYPT_COST: '4' };
    const env = { PATH, HOME, TS_NODE_PROJECT: join(process.cwd(), 'tsconfig.json'), ...settings };
    // `script` gives the service a terminal, which is closed when `script` is killed.
    const terminal = spawn('script', ['-qefc', program, '/dev/null'], { cwd: directory, env });
    let output = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    while (!output.includes('is running.')) {
      if (terminal.exitCode !== null) throw new Error(output);
      await sleep(20);
    }
    expect(isServed()).toBe(true);
    terminal.kill('SIGKILL');
    while (isServed()) await sleep(20);
    // The folder is free, so the service has stopped as after SIGTERM.
    const next = start({ PORT: settings.PORT });
    await next.says('"msg":"listening');
    expect(next.output).not.toMatch(/recover|still running/);
  });
});

describe('a service without a terminal that gets SIGHUP', () => {
  it('reloads limits, log level and allowed addresses from .env, and says what needs a restart', async () => {
    const port = await freePort();
    const write = (lines: string[]) => writeFileSync(join(directory, '.env'), lines.join('\n'));
    write(['LIMIT_LOGIN_PER_MINUTE=100']);
    const service = start({ PORT: String(port), LIMIT_CODES_PER_HOUR: '7' });
    await service.says('"msg":"listening');
    const login = async () => (await post(port, '/auth/login', { email: 'x@example.test', password: 'wrong' })).status;
    expect(await login()).toBe(401);

    write(['LIMIT_LOGIN_PER_MINUTE=1', 'LIMIT_CODES_PER_HOUR=8', 'SESSION_HOURS=4', 'LOG_LEVEL=warn']);
    service.signal('SIGHUP');
    await service.says('these settings take effect after a restart: SESSION_HOURS');
    expect(await login()).toBe(429);

    write(['LIMIT_LOGIN_PER_MINUTE=none', 'LOG_LEVEL=warn']);
    service.signal('SIGHUP');
    await service.says('the settings were not reloaded: The configuration is invalid');
    expect(await login()).toBe(429);

    write(['LIMIT_EXEMPT_ADDRESSES=127.0.0.0/8']);
    service.signal('SIGHUP');
    await service.says('settings were reloaded');
    expect(await login()).toBe(401);
    service.signal('SIGTERM');
    expect(await service.exit()).toBe(0);
  });
});

describe('the database in DATABASE_URL', () => {
  it('must be migrated before the start; concurrent migrations are safe; releases that are too old reject it', async () => {
    const connection = await cloneDatabase();
    const tunnel = await openTunnel(connection);
    const url = `postgres://${connection.user}:${connection.password ?? ''}@127.0.0.1:${tunnel.port}/${connection.database}`;
    const environment = { DATABASE_URL: url, PORT: String(await freePort()), ...SECRETS };
    const client = new Client(connection);
    client.on('error', () => undefined);
    await client.connect();

    await client.query('DROP SCHEMA public, confined, partitions CASCADE');
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
    const alike = [start({ DATABASE_URL: url }, 'src/migrate.ts'), start(environment)];
    expect(await alike[0].exit()).toBe(0);
    await alike[1].says('"msg":"listening');
    alike[1].signal('SIGTERM');
    expect(await alike[1].exit()).toBe(0);
    await client.query('UPDATE schema_requirements SET least_schema = 9763700000001');
    const older = [start(environment), start({ DATABASE_URL: url }, 'src/migrate.ts')];
    expect(await Promise.all(older.map((each) => each.exit()))).toEqual([1, 1]);
    for (const { output } of older) expect(output).toMatch(/too old for the database: .*Later9763700000001/);
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
