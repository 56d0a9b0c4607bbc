import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blocksOf, OPERATIONS } from '../support/documentation.js';
import { freePort, ServiceProcess } from '../support/service.js';
import { ObjectStore } from '../support/object-store.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const ADMINISTRATOR = { ADMIN_EMAIL: 'admin@worksmith.example', ADMIN_PASSWORD: 'a river of quiet lamps' };
const run = promisify(execFile);

const read = (file: string): string => readFileSync(file, 'utf8');
const scriptsOf = (file: string): string[] => blocksOf(read(file));
const usesApi = (file: string): boolean => scriptsOf(file).some((script) => script.includes('curl'));

const PAGES = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
const SETUP = 'docs/shell.md';
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
  const [setup, signOut] = scriptsOf(SETUP);

  it('set up a shell, and sign out', async () => {
    expect(await paste([setup, signOut])).toEqual([]);
  });

  it.each(API_PAGES)('work as pasted: %s', async (page) => {
    expect(read(page).includes('shell.md')).toBe(true);
    expect(await paste([setup, ...scriptsOf(page)])).toEqual([]);
  });

  it('name npm scripts and files that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'deploy/README.md', ...PAGES];
    const commands = pages.flatMap((page) => scriptsOf(page).map((script) => ({ page, script })));
    const missing = commands.flatMap(({ page, script }) => [
      ...[...script.matchAll(/npm run ([\w:-]+)/g)].filter(([, name]) => !(name in scripts)),
      ...[...script.matchAll(/npm test -- ((?:test|src)\/[\w./-]+)/g)].filter(
        ([, file]) => !existsSync(file) && page !== 'CONTRIBUTING.md',
      ),
    ]);
    expect(missing.map(([command]) => command)).toEqual([]);
  });
});
