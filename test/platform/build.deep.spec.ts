import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ServiceProcess } from '../support/service.js';
import { TestApp } from '../support/test-app.js';

const PARTS = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const SETTINGS = ['.swcrc', 'nest-cli.json'];
const PAGES = 'explorer';
const ADMIN = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'a river of quiet lamps' };
const BUNDLE = /^bundle(?:\/|$)/;

/** The files below a folder that the service runs or reads: modules by their name without the ending, and data files. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.spec|\.d)\.(?:ts|js|sql|yaml|liquid)$/.test(name) && !BUNDLE.test(name))
    .map((name) => name.replace(/\.(?:ts|js)$/, ''))
    .sort();

/** The programs of the service: the entry points that knip knows at the top of the sources. */
const programs = (JSON.parse(readFileSync('knip.json', 'utf8')) as { entry: string[] }).entry
  .map((entry) => /^src\/(?<program>\w+)\.ts$/.exec(entry)?.groups?.program)
  .filter((name) => name !== undefined);

const documentAt = async (port: number): Promise<object> =>
  (await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()) as object;

describe('the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'worksmith-build-'));

  beforeAll(() => {
    // PostgreSQL does not run as root, and its user needs access to this folder.
    chmodSync(folder, 0o755);
    for (const part of [...PARTS, ...SETTINGS, PAGES]) cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  it.each([
    [
      'npm run build',
      [
        ['--import', './scripts/swc-cache.mjs', 'node_modules/@nestjs/cli/bin/nest.js', 'build'],
        ['scripts/bundle.mjs'],
      ],
    ],
    ['npm start', [['--input-type=module', '--eval', "await (await import('./scripts/build.mjs')).ensureBuilt();"]]],
  ])('of %s contains every module, every data file and a bundle of every program', (_, commands) => {
    for (const words of commands) execFileSync(process.execPath, words, { cwd: folder, stdio: 'pipe' });
    expect(filesIn(join(folder, 'dist'))).toEqual(filesIn(join(folder, 'src')));
    const started = programs.map((name) => readFileSync(join(folder, 'dist', `${name}.js`), 'utf8'));
    expect(started).toEqual(programs.map((name) => `import './bundle/${name}.js';\n`));
  });

  it('serves the document of the sources, its pages, and the work of its child processes', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = join(folder, 'dist/main.js');
    const settings = { DATA_DIR: join(folder, 'data'), PORT: String(port), ...ADMIN };
    const service = new ServiceProcess(settings, program, folder);
    const app = await TestApp.open();
    try {
      await service.says('"msg":"listening');
      // Each names the address at which it is served.
      const [built, source] = await Promise.all([documentAt(port), documentAt(app.port())]);
      expect({ ...built, servers: [] }).toEqual({ ...source, servers: [] });
      expect((await fetch(`${url}/docs`)).status).toBe(200);
      const send = (path: string, body: object, headers = {}) =>
        fetch(`${url}/api/v1${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      const login = await send('/auth/login', { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD });
      const { data } = (await login.json()) as { data: { token: string } };
      const template = { name: 'Report', scope: 'task', body: '{{ task.title }}' };
      const made = await send('/templates', template, { Authorization: `Bearer ${data.token}` });
      expect(made.status).toBe(201);
    } finally {
      service.signal('SIGTERM');
      await service.exit();
      await app.close();
    }
  });
});
