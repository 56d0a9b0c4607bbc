import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

describe('a fresh clone in which npm start has installed what running needs', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'worksmith-clone-'));
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
    });
    for (const path of list.split('\0').filter((name) => name !== '' && existsSync(name))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(path, join(folder, path));
    }
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.test', 'commit', '--quiet', '--message', 'Clone');
    const program = `await (await import('./scripts/install.mjs')).ensureInstalled();`;
    expect(run([process.execPath, '--input-type=module', '--eval', program]).code).toBe(0);
    expect(hasAll()).toBe(false);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
  const dirty = () =>
    git('status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .filter((line) => line !== '');
  /** Whether what tests and checks need is installed. */
  const hasAll = () => existsSync(join(folder, 'node_modules/prettier'));

  /** Runs a program without the variables of this test run. */
  function run([command, ...words]: string[]): { code: number | null; output: string } {
    const own = Object.entries(process.env).filter(([name]) => !/^(TEST_|JEST_|npm_)/.test(name));
    const { status, stdout, stderr } = spawnSync(command, words, {
      cwd: folder,
      env: Object.fromEntries(own),
      encoding: 'utf8',
    });
    return { code: status, output: `${stdout}${stderr}` };
  }
  const npm = (name: string, ...words: string[]) => run(['npm', 'run', '--silent', name, '--', ...words]);

  it.each(['new:feature', 'new:migration', 'format', 'resilience'])('%s prints its usage for --help', (name) => {
    const { code, output } = npm(name, '--help');
    expect([code, output]).toEqual([0, expect.stringContaining(`npm run ${name}`)]);
    expect([dirty(), hasAll()]).toEqual([[], false]);
  });

  it.each([
    ['new:feature'],
    ['new:feature', 'Gadgets'],
    ['new:feature', 'gadgets', 'tags'],
    ['new:feature', 'gadgets', '--prefix', 'tsk'],
    ['new:feature', 'tasks', '--prefix', 'xyz'],
    ['new:feature', 'gadgets', '--plural'],
    ['new:migration'],
    ['new:migration', 'Label_Name'],
    ['new:migration', 'one', 'two'],
    ['format', 'src'],
    ['resilience', 'everything'],
    ['resilience', 'kills', '--rounds', 'many'],
    ['resilience', '--quick'],
  ])('%s %s %s %s exits with 2, and has no effect', (name, ...words) => {
    const { code, output } = npm(name, ...words.filter((word) => word !== undefined));
    expect([code, output]).toEqual([2, expect.stringContaining(`npm run ${name}`)]);
    expect([dirty(), hasAll()]).toEqual([[], false]);
  });

  it('can create a feature and format the code: the commands install what they need, and change nothing else', () => {
    const { code, output } = npm('new:feature', 'gadgets');
    expect([code, output]).toEqual([0, expect.stringContaining('Next:')]);
    const made = dirty();
    expect(made.filter((line) => line.startsWith('??'))).toHaveLength(14);
    expect(made).not.toContainEqual(expect.stringContaining('package'));
    expect(npm('format').code).toBe(0);
    expect(dirty()).toEqual(made);
    const other = npm('new:migration', 'nothing');
    expect([other.code, other.output]).toEqual([
      1,
      expect.stringContaining('Change an entity or a declaration first.'),
    ]);
    expect(dirty()).toEqual(made);
  });
});
