import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingPrograms, PROMETHEUS } from '../support/production/programs.js';
import { StockPostgres, SUPERUSER_PASSWORD } from '../support/production/servers.js';
import { freePort, ServiceProcess } from '../support/service.js';
import { ObjectStore } from '../support/object-store.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const ADMINISTRATOR = { ADMIN_EMAIL: 'admin@worksmith.example', ADMIN_PASSWORD: 'a river of quiet lamps' };
const run = promisify(execFile);

const read = (file: string): string => readFileSync(file, 'utf8');
const blocksOf = (file: string): string[] =>
  [...read(file).matchAll(/^```sh\n(.*?)^```/gms)].map(([, script]) => script);
const usesApi = (file: string): boolean => blocksOf(file).some((script) => script.includes('curl'));

const PAGES = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
const SETUP = 'docs/shell.md';
/** Brings up a site of its own, from its database on. */
const OPERATIONS = 'docs/operations.md';
const API_PAGES = PAGES.filter((page) => ![SETUP, OPERATIONS].includes(page) && usesApi(page));

/** Every response with an error status, and every variable that stays empty, is a failure of the page. */
const REPORT_FAILURES = `
curl() { command curl --fail-with-body -sS "$@" || echo "failed: curl $*" >> "$FAILURES"; }
`;
const reportEmpty = (script: string): string =>
  [...script.matchAll(/^([A-Z][A-Z_]*)=/gm)]
    .map(([, name]) => `[ -n "\$${name}" ] || echo "empty: ${name}" >> "$FAILURES"`)
    .join('\n');

let folder: string;
let service: ServiceProcess;
let receiver: WebhookReceiver;
let store: ObjectStore;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'worksmith-commands-'));
  const port = await freePort();
  url = `http://localhost:${port}`;
  receiver = await WebhookReceiver.open();
  store = await ObjectStore.open();
  service = new ServiceProcess({
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    LIMIT_LOGIN_PER_MINUTE: '1000',
    WEBHOOK_HTTP: 'true',
    WEBHOOK_ALLOW: '127.0.0.1',
    ...ADMINISTRATOR,
    ...store.settings,
  });
  await service.says('"msg":"listening');
});

afterAll(async () => {
  service.signal('SIGTERM');
  await service.exit();
  await receiver.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Pastes the blocks into one shell, with the password and the addresses of this test. */
async function paste(blocks: string[]): Promise<string[]> {
  const script = blocks
    .join('\n')
    .replace('the password that the first start printed', ADMINISTRATOR.ADMIN_PASSWORD)
    .replaceAll('http://localhost:3000', url)
    .replace(/^RECEIVER=.*$/m, `RECEIVER=${receiver.url()}`)
    .replaceAll('/tmp/', `${folder}/`);
  const failures = join(folder, 'failures');
  rmSync(failures, { force: true });
  await run('bash', ['-uc', `${REPORT_FAILURES}\n${script}\n${reportEmpty(script)}`], {
    env: { PATH: process.env.PATH, FAILURES: failures },
    maxBuffer: 64 * 1024 * 1024,
  });
  return existsSync(failures) ? read(failures).trim().split('\n') : [];
}

describe('the commands of the documentation', () => {
  const [setup, signOut] = blocksOf(SETUP);

  it('set up a shell, and sign out', async () => {
    expect(await paste([setup, signOut])).toEqual([]);
  });

  it.each(API_PAGES)('work as pasted: %s', async (page) => {
    expect(read(page).includes('shell.md')).toBe(true);
    expect(await paste([setup, ...blocksOf(page)])).toEqual([]);
  });

  it('name npm scripts and files that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'deploy/README.md', ...PAGES];
    const commands = pages.flatMap((page) => blocksOf(page).map((script) => ({ page, script })));
    const missing = commands.flatMap(({ page, script }) => [
      ...[...script.matchAll(/npm run ([\w:-]+)/g)].filter(([, name]) => !(name in scripts)),
      ...[...script.matchAll(/npm test -- ((?:test|src)\/[\w./-]+)/g)].filter(
        ([, file]) => !existsSync(file) && page !== 'CONTRIBUTING.md',
      ),
    ]);
    expect(missing.map(([command]) => command)).toEqual([]);
  });
});

const hasPrograms =
  [...missingPrograms(), ...Object.values(PROMETHEUS).filter((program) => !existsSync(program))].length === 0;
const say = 'scripts/production-programs.sh installs what docs/operations.md needs and this machine lacks.';
if (!hasPrograms) process.stderr.write(`NOT RUN  ${say}\n`);

describe('the commands of docs/operations.md', () => {
  it('have the programs that they need, or it is said and fails in CI', () => {
    if (process.env.CI === 'true') expect(hasPrograms ? '' : say).toBe('');
  });

  (hasPrograms ? it : it.skip)('bring up, upgrade, mend, audit and take down a site as pasted', async () => {
    const postgres = await StockPostgres.startBare('15');
    const ports = { PORT_1: 0, PORT_2: 0, PROXY: 0, PROMETHEUS: 0 };
    for (const name of Object.keys(ports)) Object.assign(ports, { [name]: await freePort() });
    const site = join(folder, 'site');
    const script = blocksOf(OPERATIONS)
      .join('\n')
      .replace('PGPORT=5432', `PGPORT=${postgres.port}`)
      .replace('the password of the role postgres', SUPERUSER_PASSWORD)
      .replace('SITE=/srv/worksmith', `SITE=${site}`)
      .replace(
        /^PORT_1=.*$/m,
        Object.entries(ports)
          .map((pair) => pair.join('='))
          .join(' '),
      );
    const { PATH = '', HOME = '' } = process.env;
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { env: { PATH, HOME }, detached: true });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-5_000)));
    }
    try {
      const [code] = (await once(shell, 'exit')) as [number | null];
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
      expect(readdirSync(site)).toEqual(
        expect.arrayContaining(['audit.csv', 'audit-positions', 'backups', 'settings']),
      );
      expect(read(join(site, 'audit-positions'))).toMatch(
        /^ok +The audit is unchanged: \d+ sealed entries; last position \d+/,
      );
      const logs = [ports.PORT_1, ports.PORT_2].map((port) => read(join(site, `${port}.log`))).join('\n');
      expect(logs.split('\n').filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))).toEqual([]);
    } finally {
      endGroup(shell.pid);
      await postgres.end();
    }
  });
});

/** Ends what a page that stopped in the middle has left running. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left, as it should be.
  }
}
