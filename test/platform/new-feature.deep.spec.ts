import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

describe('npm run new:feature', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'worksmith-feature-'));
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
    });
    for (const path of list.split('\0').filter((name) => name !== '' && existsSync(name))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(path, join(folder, path));
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program of the copy as a contributor does; its output is in the error where it fails. */
  function run(...words: string[]): string {
    const own = Object.entries(process.env).filter(([name]) => !/^(TEST_|JEST_)/.test(name));
    return execFileSync(process.execPath, words, { cwd: folder, env: Object.fromEntries(own), encoding: 'utf8' });
  }

  it('makes a feature that passes the checks and its tests', () => {
    run('scripts/new-feature.mjs', 'time-entries', '--singular', 'time-entry', '--prefix', 'ten');
    expect(run('scripts/check.mjs')).not.toContain('FAILED');
    const jest = ['--max-old-space-size=4096', 'node_modules/jest/bin/jest.js', '--ci=false'];
    run(...jest, 'test/areas/time-entries.spec.ts', 'test/architecture/(interface|schema|document)');
  });

  it('refuses a prefix that is taken', () => {
    expect(() => run('scripts/new-feature.mjs', 'talks', '--prefix', 'tsk')).toThrow('The prefix tsk is taken');
  });
});
