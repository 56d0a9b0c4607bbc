import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from '../../src/embedded-postgres/home.js';

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

/** Everything in a directory, as `ls` shows it. */
const contents = (): string => execFileSync('ls', ['-lanR', '--time-style=full-iso', directory], { encoding: 'utf8' });

describe('the data directory', () => {
  it('is made private where there is none, and found again', () => {
    const { account } = openHome(directory, quiet);
    const made = { mode: 0o700, uid: account?.uid ?? process.getuid?.(), gid: expect.any(Number) };
    expect(facts(directory)).toEqual(made);
    expect(readdirSync(directory)).toEqual(['.worksmith']);
    expect(openHome(directory, quiet).directory).toBe(directory);
    expect(facts(directory)).toEqual(made);
  });

  it('leaves the owner and the mode of an empty folder that was there before', () => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    const before = facts(directory);
    openHome(directory, quiet);
    openHome(directory, quiet);
    expect(facts(directory)).toEqual(before);
    expect(readdirSync(directory)).toEqual(['.worksmith']);
  });

  it('takes a new file system, which has a folder of its own', () => {
    mkdirSync(join(directory, 'lost+found'), { recursive: true });
    expect(openHome(directory, quiet).directory).toBe(directory);
  });

  it.each([
    ['files of another program', ['notes.txt']],
    ['files of another program beside names of the service', ['mail', 'notes.txt']],
    ['the database of another program', ['PG_VERSION', 'base']],
  ])('is refused and left alone where it holds %s', (_, names) => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    for (const name of names) writeFileSync(join(directory, name), 'kept');
    const before = contents();
    expect(() => openHome(directory, quiet)).toThrow(
      `DATA_DIR ${directory} contains files that do not belong to Worksmith. Use a new or empty folder: DATA_DIR=<folder> npm start`,
    );
    expect(contents()).toBe(before);
  });

  it('is taken from an earlier release, which left no marker', () => {
    mkdirSync(join(directory, 'cluster'), { recursive: true });
    for (const name of ['cluster/PG_VERSION', 'password', 'secrets.json', 'server.log']) {
      writeFileSync(join(directory, name), '18\n');
    }
    openHome(directory, quiet);
    expect(readdirSync(directory)).toContain('.worksmith');
  });

  it('is taken from an earlier release that shared it with other files', () => {
    mkdirSync(join(directory, 'cluster'), { recursive: true });
    for (const name of ['cluster/PG_VERSION', 'password', 'notes.txt']) writeFileSync(join(directory, name), '18\n');
    openHome(directory, quiet);
    expect(readdirSync(directory)).toContain('notes.txt');
  });

  it('is taken where the first start of an earlier release broke off', () => {
    mkdirSync(join(directory, 'cluster.new', 'base'), { recursive: true });
    for (const name of ['service.lock', 'password']) writeFileSync(join(directory, name), '');
    openHome(directory, quiet);
    expect(readdirSync(directory)).toContain('.worksmith');
  });

  it('is not a file', () => {
    writeFileSync(directory, '');
    expect(() => openHome(directory, quiet)).toThrow(`DATA_DIR ${directory} is not a folder.`);
    expect(() => openHome(join(directory, 'below'), quiet)).toThrow('is not a folder.');
  });

  (isRoot ? it : it.skip)('is opened again where root has copied it', () => {
    mkdirSync(join(directory, 'cluster'), { recursive: true });
    for (const name of ['cluster/PG_VERSION', '.worksmith']) writeFileSync(join(directory, name), '');
    chmodSync(directory, 0o700);
    const { account } = openHome(directory, quiet);
    expect(facts(directory)).toMatchObject({ mode: 0o700, uid: account?.uid });
    expect(facts(join(directory, 'cluster'))).toMatchObject({ uid: account?.uid });
  });
});
