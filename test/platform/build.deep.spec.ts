import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PARTS = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const SETTINGS = ['.swcrc', 'nest-cli.json'];

/** The files below a folder that the service runs or reads: modules by their name without the ending, and data files. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.spec|\.d)\.(?:ts|js|sql|yaml|liquid)$/.test(name))
    .map((name) => name.replace(/\.(?:ts|js)$/, ''))
    .sort();

describe('the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'worksmith-build-'));

  beforeAll(() => {
    for (const part of [...PARTS, ...SETTINGS]) cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  it.each([
    ['npm start', ['--input-type=module', '--eval', "await (await import('./scripts/build.mjs')).ensureBuilt();"]],
    ['npm run build', ['--import', './scripts/swc-cache.mjs', 'node_modules/@nestjs/cli/bin/nest.js', 'build']],
  ])('of %s contains every module and every data file', (_, words) => {
    execFileSync(process.execPath, words, { cwd: folder, stdio: 'pipe' });
    expect(filesIn(join(folder, 'dist'))).toEqual(filesIn(join(folder, 'src')));
  });
});
