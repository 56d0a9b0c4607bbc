import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { withRunningOrStarted } from '../../src/embedded-postgres/use-server.js';
import { asService } from '../../src/platform/process/service-role.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';
import { freePort, openTunnel, ServiceProcess } from '../support/service.js';

const EMAIL = 'mara@example.org';
const PEPPER = 'p3pper-f0r-the-tests-of-commands-0123456789';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'worksmith-commands-'));
  chmodSync(folder, 0o755);
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** Runs a command and returns its exit code and output. */
async function run(program: string, words: string[], environment: Record<string, string>): Promise<[number, string]> {
  const command = new ServiceProcess(environment, `src/${program}.ts`, undefined, words);
  const code = await command.exit();
  return [code ?? -1, command.output];
}

describe('commands', () => {
  const nowhere = () => ({ DATA_DIR: join(folder, 'nowhere') });

  it.each(['admin', 'backup', 'restore', 'migrate', 'doctor'])(
    '%s shows its usage and does nothing when asked for help',
    async (name) => {
      const [code, output] = await run(name, ['--help'], nowhere());
      expect(code).toBe(0);
      expect(output).toContain(`npm run ${name}`);
      expect(readdirSync(folder)).not.toContain('nowhere');
      expect(readdirSync('.')).not.toContain('backups');
    },
  );

  it.each([
    ['admin', ['crate', EMAIL], 'Unknown command "crate".'],
    ['admin', ['create'], 'The command create requires one e-mail address.'],
    ['admin', ['create', EMAIL, EMAIL], 'The command create requires one e-mail address.'],
    ['backup', ['--folder', 'x'], `Unknown option '--folder'`],
    ['restore', [], 'The folder of one backup is required.'],
    ['migrate', ['down'], 'Unknown argument "down".'],
    ['doctor', ['now'], 'Unknown argument "now".'],
    ['doctor', ['--mail', 'nobody'], '"nobody" is not an e-mail address.'],
    ['doctor', ['--url', 'here'], '"here" is not a URL.'],
    ['doctor', ['--jason'], `Unknown option '--jason'`],
  ])('%s %j is rejected with the usage, and does nothing', async (name, words, says) => {
    const [code, output] = await run(name, words, nowhere());
    expect(code).toBe(2);
    expect(output).toContain(says);
    expect(output).toContain(`npm run ${name}`);
    expect(readdirSync(folder)).not.toContain('nowhere');
  });

  it('exit with 1 and print one sentence if they fail', async () => {
    const [code, output] = await run('backup', [], nowhere());
    expect([code, output]).toEqual([1, `${join(folder, 'nowhere')} does not contain a database.\n`]);
    expect(readdirSync(folder)).not.toContain('nowhere');
  });
});

describe('npm run admin', () => {
  it('manages accounts while the service is running on its embedded database', async () => {
    const DATA_DIR = join(folder, 'data');
    const port = await freePort();
    const service = new ServiceProcess({ DATA_DIR, PORT: String(port) });
    await service.says('"msg":"listening');
    try {
      const admin = (...words: string[]) => run('admin', words, { DATA_DIR });
      const api = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/api/v1${path}`, init);
      const login = (password: string) =>
        api('/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: EMAIL, password }),
        });
      const whoami = async (token: string): Promise<{ status: number; isAdmin?: boolean }> => {
        const response = await api('/auth/whoami', { headers: { authorization: `Bearer ${token}` } });
        const { data } = (await response.json()) as { data?: { is_admin: boolean } };
        return { status: response.status, isAdmin: data?.is_admin };
      };
      const passwordIn = (output: string): string => /: (\S+) {3}\(shown only once\)/.exec(output)?.[1] ?? '';
      const tokenOf = async (password: string): Promise<string> => {
        const { data } = (await (await login(password)).json()) as { data: { token: string } };
        return data.token;
      };

      const [made, created] = await admin('create', EMAIL);
      expect(made).toBe(0);
      const first = await tokenOf(passwordIn(created));
      expect(await whoami(first)).toEqual({ status: 200, isAdmin: true });
      expect(await admin('list')).toEqual([0, expect.stringContaining(EMAIL)]);

      expect(await admin('demote', EMAIL)).toEqual([0, `${EMAIL} is no longer an administrator.\n`]);
      expect(await whoami(first)).toEqual({ status: 200, isAdmin: false });
      expect(await admin('promote', EMAIL)).toEqual([0, `${EMAIL} is now an administrator.\n`]);
      expect(await whoami(first)).toEqual({ status: 200, isAdmin: true });

      const wanted = { name: 'Robot', scopes: ['*'] };
      const response = await api('/auth/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${first}` },
        body: JSON.stringify(wanted),
      });
      const robot = ((await response.json()) as { data: { token: string } }).data.token;
      expect((await whoami(robot)).status).toBe(200);
      const ends = `All sessions and access tokens of ${EMAIL} have been ended.\n`;
      expect(await admin('revoke-sessions', EMAIL)).toEqual([0, ends]);
      expect((await whoami(first)).status).toBe(401);
      expect((await whoami(robot)).status).toBe(401);

      const [reset, printed] = await admin('reset-password', EMAIL);
      expect(reset).toBe(0);
      expect((await login(passwordIn(created))).status).toBe(401);
      const second = await tokenOf(passwordIn(printed));
      expect((await admin('suspend', EMAIL))[0]).toBe(0);
      expect((await whoami(second)).status).toBe(401);
      expect((await login(passwordIn(printed))).status).toBe(403);

      const [, last] = await admin('demote', 'admin@worksmith.example');
      expect(last).toBe('At least one active administrator must remain.\n');
      expect(await admin('promote', 'unknown@example.org')).toEqual([
        1,
        'No account has the e-mail address unknown@example.org.\n',
      ]);
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    } finally {
      service.signal('SIGTERM');
      await service.exit();
    }
    await withRunningOrStarted(
      DATA_DIR,
      () => undefined,
      async (connection) => {
        const client = new Client(connection);
        await client.connect();
        const { rows } = await client.query('SELECT status FROM users WHERE email = $1', [EMAIL]);
        expect(rows).toEqual([{ status: 'suspended' }]);
        await client.end();
      },
    );
  });

  it('needs no JWT_SECRET with DATABASE_URL, and PEPPER only for passwords', async () => {
    const connection = await cloneDatabase();
    const tunnel = await openTunnel(connection);
    const { user, password = '', database } = connection;
    const DATABASE_URL = `postgres://${user}:${password}@127.0.0.1:${tunnel.port}/${database}`;
    const [refused, says] = await run('admin', ['create', EMAIL], { DATABASE_URL });
    expect([refused, says]).toEqual([1, expect.stringContaining('PEPPER must be set when DATABASE_URL is set')]);
    expect(says).not.toContain('JWT_SECRET');
    expect((await run('admin', ['create', EMAIL], { DATABASE_URL, PEPPER }))[0]).toBe(0);
    expect(await run('admin', ['list'], { DATABASE_URL })).toEqual([0, expect.stringContaining(EMAIL)]);
    tunnel.close();
    await dropDatabase(connection);
  });
});

describe('npm run doctor', () => {
  /** The server of the tests trades durability for speed. */
  const UNSAFE = ['fsync', 'full_page_writes', 'synchronous_commit'].map(
    (name) => `fault    ${name} is off: the server can lose what it has confirmed. Set it to on.`,
  );
  const faultsOf = (output: string): string[] => output.split('\n').filter((line) => line.startsWith('fault'));

  it('finds no error without a database and beside a running service, and reports a changed audit entry', async () => {
    const DATA_DIR = join(folder, 'examined');
    expect(await run('doctor', [], { DATA_DIR })).toEqual([0, expect.stringContaining('There is no database in')]);
    const service = new ServiceProcess({ DATA_DIR, PORT: String(await freePort()) });
    await service.says('"msg":"listening');
    // The entry about the first administrator is sealed soon after the start.
    const sealed = async (): Promise<string> => {
      for (;;) {
        const [code, output] = await run('doctor', [], { DATA_DIR });
        expect(code).toBe(0);
        if (!output.includes(': 0 sealed entries')) return output;
      }
    };
    const output = await sealed();
    expect(output).toContain('The role worksmith_service can neither change nor delete the audit.');
    expect(output).toContain('All migrations have been applied.');
    expect(output).not.toContain('fault');
    const [, json] = await run('doctor', ['--json'], { DATA_DIR });
    expect(JSON.parse(json)[0]).toEqual({ state: 'ok', text: 'The settings are valid.' });
    service.signal('SIGTERM');
    await service.exit();
    await withRunningOrStarted(
      DATA_DIR,
      () => undefined,
      async (connection) => {
        const client = new Client(connection);
        await client.connect();
        await client.query(`SET session_replication_role = 'replica'`);
        await client.query(`UPDATE audit_entries SET action = 'user.erased' WHERE action = 'user.created'`);
        await client.end();
      },
    );
    const [code, told] = await run('doctor', [], { DATA_DIR });
    expect(code).toBe(1);
    expect(told).toMatch(/^fault +Audit: Entry aud_\w+ at position 1, or its seal, was changed\.$/m);
  });

  it('warns if the role of the service owns the tables of the audit', async () => {
    const connection = await cloneDatabase();
    const tunnel = await openTunnel(connection);
    const urlOf = ({ user, password = '', database }: typeof connection): string =>
      `postgres://${user}:${password}@127.0.0.1:${tunnel.port}/${database}`;
    const [owner, service] = [urlOf(connection), urlOf(asService(connection))];
    try {
      const [owned, warned] = await run('doctor', [], { DATABASE_URL: owner, PEPPER });
      expect(owned).toBe(1);
      expect(faultsOf(warned)).toEqual(UNSAFE);
      expect(warned).toMatch(/^warning +The role \w+ owns the tables of the audit and could change them/m);
      const [migrated] = await run('migrate', [], { DATABASE_URL: service, DATABASE_OWNER_URL: owner });
      expect(migrated).toBe(0);
      const [code, output] = await run('doctor', [], { DATABASE_URL: service, PEPPER });
      expect(code).toBe(1);
      expect(faultsOf(output)).toEqual(UNSAFE);
      expect(output).toContain('can neither change nor delete the audit.');
    } finally {
      tunnel.close();
      await dropDatabase(connection);
    }
  });
});
