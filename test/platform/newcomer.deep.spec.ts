import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ServiceProcess } from '../support/service.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'a river of quiet lamps' };

interface Line {
  method?: string;
  route?: string;
  status?: number;
}

interface List {
  data: unknown[] | Record<string, unknown>;
}

let folder: string;
let service: ServiceProcess;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'worksmith-newcomer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  url = `http://localhost:${port}`;
  writeFileSync(join(folder, '.env'), `PORT=${port}\n`);
  // Node resolves the packages of the TypeScript loader from the working directory.
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  service = new ServiceProcess({
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    LIMIT_LOGIN_PER_MINUTE: '100',
    ...ADMIN,
  });
  await service.says('"msg":"listening');
});

afterAll(async () => {
  service.signal('SIGTERM');
  await service.exit();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Runs the demo in the folder of that `.env`, and returns its exit code and output. */
async function run(...words: string[]): Promise<[number | null, string]> {
  const command = new ServiceProcess({}, 'src/demo.ts', folder, words);
  const code = await command.exit();
  return [code, command.output];
}

/** The requests that the service has logged so far. */
const answered = (): Line[] =>
  service.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ route }) => route !== undefined);

async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

describe('the curl walkthrough in the README', () => {
  it('works as written', () => {
    const [, section] = readFileSync('README.md', 'utf8').split('## Ten minutes with curl\n');
    const [walk, signIn] = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, script]) => script);
    const script = `${walk}\n${signIn}\nask $API/auth/whoami`.replace('http://localhost:3000', url);
    const environment = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') };
    const output = execFileSync('bash', ['-c', script], {
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const responses = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { data?: Record<string, unknown>; error?: { code: string } });
    expect(responses.map(({ error }) => error?.code)).toEqual([...Array(9).fill(undefined), 'unauthorized', undefined]);
    expect(responses[7].data).toEqual({ total: 2, planned: 1, active: 0, done: 1, canceled: 0 });
    expect(responses[10].data).toMatchObject({ name: 'Mara', email: 'mara@example.org' });
  });
});

describe('npm run demo', () => {
  it('reports missing or wrong arguments, and changes nothing', async () => {
    expect(await run()).toEqual([
      2,
      expect.stringContaining('The password of an administrator is required: --password <password>.'),
    ]);
    expect(await run('--help')).toEqual([0, expect.stringContaining('npm run demo -- --password')]);
    expect(await run('--email', ADMIN.ADMIN_EMAIL, '--password', 'not the right one')).toEqual([
      1,
      expect.stringContaining('"npm run admin -- reset-password ada@example.org" prints a new password.'),
    ]);
    const nowhere = `http://localhost:${await freePort()}`;
    expect(await run('--password', 'x', '--url', nowhere)).toEqual([
      1,
      `No service responds at ${nowhere}. Start the service first (npm start), or set its URL with --url.\n`,
    ]);
  });

  it('uses only documented calls, at the port of .env, and prints five working reads', async () => {
    const before = answered().length;
    const [code, output] = await run('--email', ADMIN.ADMIN_EMAIL, '--password', ADMIN.ADMIN_PASSWORD);
    expect([code, output]).toEqual([0, expect.stringContaining('Harbour Library has been created.')]);

    const { paths } = await fetchJson<{ paths: Record<string, Record<string, unknown>> }>(`${url}/openapi.json`);
    const calls = answered().slice(before);
    expect(calls.length).toBeGreaterThan(100);
    for (const { method = '', route = '', status } of calls.filter((line) => line.route !== '/openapi.json')) {
      const path = route.replaceAll(/:(\w+)/g, '{$1}');
      expect([method, path, paths[path]?.[method.toLowerCase()] !== undefined]).toEqual([method, path, true]);
      expect([method, path, String(status)]).toEqual([method, path, expect.stringMatching(/^20[01]$/)]);
    }
    await expectReads(output);
  });

  it('changes nothing when it is run again, and prints the same reads', async () => {
    const before = answered().length;
    const [code, output] = await run('--email', ADMIN.ADMIN_EMAIL, '--password', ADMIN.ADMIN_PASSWORD);
    expect([code, output]).toEqual([0, expect.stringContaining('already exists; nothing was changed')]);
    const writes = answered()
      .slice(before)
      .filter(({ method, route }) => method !== 'GET' && route !== '/api/v1/auth/login');
    expect(writes).toEqual([]);
    await expectReads(output);
  });
});

/** Follows the printed commands: signs in, and sends each GET. */
async function expectReads(output: string): Promise<void> {
  const credentials = /-d '([^']+)'/.exec(output)?.[1] ?? '';
  const headers = { 'content-type': 'application/json' };
  const { data } = await fetchJson<{ data: { token: string } }>(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers,
    body: credentials,
  });
  const reads = [...output.matchAll(/Bearer \$TOKEN" '([^']+)'/g)].map(([, path]) => path);
  expect(reads).toHaveLength(5);
  for (const path of reads) {
    const response = await fetchJson<List>(path, { headers: { authorization: `Bearer ${data.token}` } });
    expect([path, Object.keys(response.data).length > 0]).toEqual([path, true]);
  }
}
