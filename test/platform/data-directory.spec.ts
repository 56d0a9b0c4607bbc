import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../../src/embedded-postgres/home.js';
import { withTemporaryHome } from '../../src/embedded-postgres/temporary-home.js';

const isRoot = process.getuid?.() === 0;
const quiet = (): void => undefined;
let parent: string;
let directory: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'worksmith-directory-'));
  chmodSync(parent, 0o755);
  directory = join(parent, 'data');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

const facts = (path: string): unknown => {
  const { mode, uid, gid } = statSync(path);
  return { mode: mode & 0o7777, uid, gid };
};

/** Lists all files of the directory with their attributes. */
const contents = (): string => execFileSync('ls', ['-lanR', '--time-style=full-iso', directory], { encoding: 'utf8' });

describe('the data directory', () => {
  it('is created with private access if it does not exist, and found again', () => {
    const { account } = openHome(directory, quiet);
    const made = { mode: 0o700, uid: account?.uid ?? process.getuid?.(), gid: expect.any(Number) };
    expect(facts(directory)).toEqual(made);
    expect(readdirSync(directory)).toEqual(['.worksmith']);
    expect(openHome(directory, quiet).directory).toBe(directory);
    expect(facts(directory)).toEqual(made);
  });

  it('keeps the owner and the mode of an existing empty folder', () => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    const before = facts(directory);
    openHome(directory, quiet);
    openHome(directory, quiet);
    expect(facts(directory)).toEqual(before);
    expect(readdirSync(directory)).toEqual(['.worksmith']);
  });

  it('can be a new file system, which contains lost+found', () => {
    mkdirSync(join(directory, 'lost+found'), { recursive: true });
    expect(openHome(directory, quiet).directory).toBe(directory);
  });

  it.each([
    ['files of another program', ['notes.txt']],
    ['files of another program beside names of the service', ['mail', 'notes.txt']],
    ['the database of another program', ['PG_VERSION', 'base']],
  ])('is rejected and left unchanged if it contains %s', (_, names) => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    for (const name of names) writeFileSync(join(directory, name), 'kept');
    const before = contents();
    expect(() => openHome(directory, quiet)).toThrow(
      `DATA_DIR ${directory} contains files that do not belong to Worksmith. Use a new or empty folder: DATA_DIR=<folder> npm start`,
    );
    expect(contents()).toBe(before);
  });

  it('is accepted from an earlier release, which wrote no marker', () => {
    mkdirSync(join(directory, 'cluster'), { recursive: true });
    for (const name of ['cluster/PG_VERSION', 'password', 'secrets.json', 'server.log']) {
      writeFileSync(join(directory, name), '18\n');
    }
    openHome(directory, quiet);
    expect(readdirSync(directory)).toContain('.worksmith');
  });

  it('is accepted from an earlier release that shared it with other files', () => {
    mkdirSync(join(directory, 'cluster'), { recursive: true });
    for (const name of ['cluster/PG_VERSION', 'password', 'notes.txt']) writeFileSync(join(directory, name), '18\n');
    openHome(directory, quiet);
    expect(readdirSync(directory)).toContain('notes.txt');
  });

  it('is accepted if the first start of an earlier release was interrupted', () => {
    mkdirSync(join(directory, 'cluster.new', 'base'), { recursive: true });
    for (const name of ['service.lock', 'password']) writeFileSync(join(directory, name), '');
    openHome(directory, quiet);
    expect(readdirSync(directory)).toContain('.worksmith');
  });

  it('is rejected if it is a file, or below one', () => {
    writeFileSync(directory, '');
    expect(() => openHome(directory, quiet)).toThrow(`DATA_DIR ${directory} is not a folder.`);
    expect(() => openHome(join(directory, 'below'), quiet)).toThrow('is not a folder.');
  });

  (isRoot ? it : it.skip)('gets its owner back if root has copied it', () => {
    mkdirSync(join(directory, 'cluster'), { recursive: true });
    for (const name of ['cluster/PG_VERSION', '.worksmith']) writeFileSync(join(directory, name), '');
    chmodSync(directory, 0o700);
    const { account } = openHome(directory, quiet);
    expect(facts(directory)).toMatchObject({ mode: 0o700, uid: account?.uid });
    expect(facts(join(directory, 'cluster'))).toMatchObject({ uid: account?.uid });
  });
});

describe('a temporary data directory', () => {
  it('is where temporary files are, which the database user can enter', async () => {
    const told: string[] = [];
    const used = await withTemporaryHome(
      (message) => told.push(message),
      (dataDir, temporary) => Promise.resolve({ dataDir, temporary, isThere: statSync(temporary).isDirectory() }),
    );
    expect(used).toEqual({ dataDir: used.temporary, temporary: expect.stringContaining(tmpdir()), isThere: true });
    expect(told).toEqual([]);
    expect(existsSync(used.temporary)).toBe(false);
  });
});
