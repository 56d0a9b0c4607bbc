import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeBackup } from '../../src/embedded-postgres/backup/backup.js';
import type { Manifest } from '../../src/embedded-postgres/backup/manifest.js';
import { restoreBackup, verifyBackup } from '../../src/embedded-postgres/backup/restore.js';
import type { PostgresConnection } from '../../src/embedded-postgres/database.js';
import { withStarted } from '../../src/embedded-postgres/use-server.js';
import { ServiceProcess } from '../support/service.js';

const quiet = (): void => undefined;
const directories: string[] = [];
let data = '';
let kept = '';

/** Writes numbers and prints each committed one, while checkpoints make the server recycle its WAL all the time. */
const WRITER = `
  import pg from 'pg';
  const connect = async () => {
    const client = new pg.Client(JSON.parse(process.env.SERVER));
    await client.connect();
    return client;
  };
  const recycle = async (client) => {
    for (;;) await client.query('SELECT pg_switch_wal()').then(() => client.query('CHECKPOINT'));
  };
  const client = await connect();
  void recycle(await connect());
  for (let n = 1; ; n += 1) {
    await client.query('INSERT INTO numbers VALUES ($1, repeat($2, 500))', [n, 'x']);
    process.stdout.write(n + ' ');
  }`;

/** Waits until the backup opens the pipe; before the backup can continue, inserts a row and switches the WAL. */
const MEANWHILE = `
  import { closeSync, openSync } from 'node:fs';
  import pg from 'pg';
  const client = new pg.Client(JSON.parse(process.env.SERVER));
  await client.connect();
  const file = openSync(process.env.FILE, 'w');
  await client.query("INSERT INTO numbers VALUES (1, 'meanwhile')");
  await client.query('SELECT pg_switch_wal()');
  await client.query('CHECKPOINT');
  closeSync(file);
  await client.end();`;

beforeAll(async () => {
  data = directory();
  await withStarted(data, quiet, async (server) => {
    await ask(server, 'CREATE TABLE numbers (n integer PRIMARY KEY, filling text)');
    await ask(server, "INSERT INTO numbers SELECT -n, 'at rest' FROM generate_series(1, 1000) n");
  });
  writeFileSync(join(data, 'secrets.json'), '{"jwt":"one","pepper":"two"}');
  mkdirSync(join(data, 'mail'));
  writeFileSync(join(data, 'mail', 'one.eml'), 'Hello');
  writeFileSync(join(data, 'mail', '.two.part'), 'Hel');
  kept = join(directory(), 'kept');
  await makeBackup(data, kept, quiet);
});

afterAll(() => {
  for (const path of directories) rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'worksmith-backup-'));
  // If the tests run as root, the server runs as another user, who needs access to this folder.
  chmodSync(path, 0o755);
  directories.push(path);
  return path;
}

async function ask(server: PostgresConnection, sql: string): Promise<unknown[]> {
  const client = new Client(server);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Copies the backup, so that a test can damage it. */
function copyOfBackup(): string {
  const path = directory();
  cpSync(kept, path, { recursive: true });
  return path;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

function flip(file: string, at: number): void {
  const content = readFileSync(file);
  content[at] ^= 1;
  writeFileSync(file, content);
}

describe('a new backup', () => {
  it('contains every write committed before it, although the server recycles its WAL meanwhile', async () => {
    const busy = directory();
    cpSync(data, busy, { recursive: true });
    const folder = join(directory(), 'busy');
    const before = await withStarted(busy, quiet, async (server) => {
      const writer = startWriter(server, WRITER);
      await until(() => writer.last() > 200);
      const acknowledged = writer.last();
      await makeBackup(busy, folder, quiet);
      await once(writer.child.stdout ?? writer.child, 'data');
      writer.child.kill();
      expect(await ask(server, 'SELECT slot_name FROM pg_replication_slots')).toEqual([]);
      return acknowledged;
    });

    await verifyBackup(folder, quiet);
    const again = directory();
    await restoreBackup(again, folder, { replace: false, log: quiet });
    await withStarted(again, quiet, async (server) => {
      const [count, first, last] = (await ask(server, 'SELECT count(*)::int, min(n), max(n) FROM numbers')) as number[];
      expect(last).toBeGreaterThanOrEqual(before);
      // No number is missing in between.
      expect([first, count]).toEqual([-1000, 1000 + last]);
    });
  });

  it('is recovered from the checkpoint at its start, not from one during the copy', async () => {
    const busy = directory();
    cpSync(data, busy, { recursive: true });
    const folder = join(directory(), 'busy');
    await withStarted(busy, quiet, async (server) => {
      // Is copied after the tables, and before pg_control, which contains the position of the latest checkpoint.
      const pipe = join(busy, 'cluster', 'bridge');
      execFileSync('mkfifo', [pipe]);
      const { child } = startWriter(server, MEANWHILE, { FILE: pipe });
      await makeBackup(busy, folder, quiet);
      rmSync(pipe);
      if (child.exitCode === null) await once(child, 'exit');
    });

    const again = directory();
    await restoreBackup(again, folder, { replace: false, log: quiet });
    await withStarted(again, quiet, async (server) => {
      expect(await ask(server, 'SELECT filling FROM numbers WHERE n > 0')).toEqual(['meanwhile']);
    });
  });

  it('also contains keys and finished mails, and leaves no temporary files beside the data', () => {
    expect(readdirSync(join(kept, 'data')).sort()).toEqual(['cluster', 'mail', 'password', 'secrets.json']);
    expect(readdirSync(join(kept, 'data', 'mail'))).toEqual(['one.eml']);
    expect(manifestOf(kept)).toMatchObject({
      holds_keys: true,
      tables: [{ table: 'public.numbers', rows: '1000', digest: expect.stringMatching(/^-?\d+\/-?\d+$/) }],
    });
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  it('is rejected for a folder that is not empty, and creates no folder if there is no database', async () => {
    await expect(makeBackup(data, kept, quiet)).rejects.toThrow('is not empty');
    const nothing = join(directory(), 'nothing');
    await expect(makeBackup(directory(), nothing, quiet)).rejects.toThrow('does not contain a database.');
    expect(existsSync(nothing)).toBe(false);
  });

  it('removes the files that a killed backup has left', async () => {
    const left = join(data, 'backup.new-4194300');
    mkdirSync(join(left, 'cluster'), { recursive: true });
    await makeBackup(data, join(directory(), 'next'), quiet);
    expect(existsSync(left)).toBe(false);
  });
});

function startWriter(
  server: PostgresConnection,
  program: string,
  environment: Record<string, string> = {},
): { child: ChildProcess; last(): number } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...environment, SERVER: JSON.stringify(server) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  return { child, last: () => Number(said.trimEnd().split(' ').at(-1)) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('verifying a backup', () => {
  it('finds a flipped bit in the first and last file, a table, a key, a mail, the manifest and its checksum', async () => {
    const { files } = manifestOf(kept);
    const table = files.find(({ path, bytes }) => path.startsWith('cluster/base/') && bytes > 100_000);
    const paths = [files[0].path, files.at(-1)?.path, table?.path, 'secrets.json', 'mail/one.eml', 'password'];
    for (const path of paths.map((name) => `data/${name}`).concat('manifest.json', 'manifest.sha256')) {
      const file = join(kept, path);
      const at = readFileSync(file).length - 1;
      flip(file, at);
      await expect(verifyBackup(kept, quiet)).rejects.toThrow(path.replace(/^data\//, ''));
      flip(file, at);
    }
    await expect(verifyBackup(kept, quiet)).resolves.toEqual(manifestOf(kept));
  });

  it('finds files that are missing, truncated or not part of the backup', async () => {
    const folder = copyOfBackup();
    rmSync(join(folder, 'data', 'password'));
    writeFileSync(join(folder, 'data', 'mail', 'one.eml'), 'Hell');
    writeFileSync(join(folder, 'data', 'mail', 'three.eml'), 'Hello');
    const faults = [
      'password is missing',
      'mail/one.eml has 4 bytes instead of 5',
      'mail/three.eml is not part of the backup',
    ];
    for (const fault of faults) await expect(verifyBackup(folder, quiet)).rejects.toThrow(fault);
  });

  it('finds rows that differ although every file matches the manifest', async () => {
    const folder = copyOfBackup();
    const pretend = (change: (tables: Manifest['tables']) => void) => {
      const manifest = manifestOf(kept);
      change(manifest.tables);
      const text = JSON.stringify(manifest);
      writeFileSync(join(folder, 'manifest.json'), text);
      const hash = createHash('sha256').update(text).digest('hex');
      writeFileSync(join(folder, 'manifest.sha256'), `${hash}  manifest.json\n`);
    };
    pretend(([table]) => (table.rows = '1001'));
    await expect(verifyBackup(folder, quiet)).rejects.toThrow('table public.numbers has 1000 rows instead of 1001');
    pretend(([table]) => (table.digest = '1/2'));
    await expect(verifyBackup(folder, quiet)).rejects.toThrow('the content of table public.numbers differs');
    pretend((tables) => tables.push({ table: 'public.lost', rows: '0', digest: '' }));
    await expect(verifyBackup(folder, quiet)).rejects.toThrow('table public.lost is missing');
    pretend((tables) => tables.pop());
    await expect(verifyBackup(folder, quiet)).rejects.toThrow('table public.numbers is not in the backup');
  });
});

describe('restoring a backup', () => {
  it('restores all rows, and recreates empty folders that a copy of the backup has lost', async () => {
    const folder = copyOfBackup();
    rmSync(join(folder, 'data', 'cluster', 'pg_notify'), { recursive: true });
    const fresh = join(directory(), 'data');
    await restoreBackup(fresh, folder, { replace: false, log: quiet });
    await withStarted(fresh, quiet, async (server) => {
      expect(await ask(server, 'SELECT count(*)::int FROM numbers')).toEqual([1000]);
    });
  });

  it('replaces existing data only with `replace`, and keeps it in another folder', async () => {
    const folder = directory();
    writeFileSync(join(folder, 'secrets.json'), '{"jwt":"newer"}');
    await expect(restoreBackup(folder, kept, { replace: false, log: quiet })).rejects.toThrow('(secrets.json)');
    expect(readdirSync(folder).sort()).toEqual(['.worksmith', 'secrets.json']);

    const { aside = '' } = await restoreBackup(folder, kept, { replace: true, log: quiet });
    expect(readFileSync(join(aside, 'secrets.json'), 'utf8')).toContain('newer');
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain('pepper');
  });

  it('rejects a data directory that a service is using', async () => {
    await withStarted(data, quiet, async () => {
      await expect(restoreBackup(data, kept, { replace: true, log: quiet })).rejects.toThrow('already in use');
    });
  });

  it('says what is wrong with a path that is no backup, instead of calling it damaged', async () => {
    const empty = directory();
    const file = join(empty, 'file');
    await expect(verifyBackup(join(empty, 'missing'), quiet)).rejects.toThrow(/^There is no folder .*missing\./);
    await expect(verifyBackup(empty, quiet)).rejects.toThrow(/ is not a backup: it contains no manifest\.json\./);
    writeFileSync(file, '');
    await expect(verifyBackup(file, quiet)).rejects.toThrow(/file is a file\. A backup is a folder/);
    await expect(makeBackup(data, file, quiet)).rejects.toThrow(/file is a file\. Choose a new or empty folder/);
    await expect(restoreBackup(join(empty, 'data'), empty, { replace: false, log: quiet })).rejects.toThrow(
      'is not a backup',
    );
    expect(readdirSync(empty)).toEqual(['file']);
  });

  it('rejects a damaged backup and writes nothing', async () => {
    const folder = copyOfBackup();
    flip(join(folder, 'data', 'password'), 0);
    const fresh = directory();
    await expect(restoreBackup(fresh, folder, { replace: false, log: quiet })).rejects.toThrow('password has changed');
    expect(readdirSync(fresh)).toEqual([]);
  });
});

describe('the backup and restore commands', () => {
  async function said(program: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
    const command = new ServiceProcess({ DATA_DIR: data, ...environment }, program, undefined, args);
    return `${await command.exit()}: ${command.output}`;
  }

  it('print what a backup contains, and exit with 1 if it is damaged', async () => {
    const folder = join(directory(), 'one');
    expect(await said('src/backup.ts', [folder])).toMatch(/^0: .* 1000 rows in 1 tables, .* keys for passwords/s);
    expect(await said('src/restore.ts', ['--verify', folder])).toMatch(/^0: .* is intact: .* 1000 rows/s);
    expect(await said('src/restore.ts', [folder])).toMatch(/^1: .* already contains data/);
    flip(join(folder, 'manifest.json'), 100);
    expect(await said('src/restore.ts', ['--verify', folder])).toMatch(/^1: The backup in .* is damaged/);
  });

  it('name what is wrong if DATABASE_URL is set', async () => {
    const given = {
      DATABASE_URL: 'postgres://worksmith@127.0.0.1:1/work',
      JWT_SECRET: SECRET,
      PEPPER: `${SECRET}-pepper`,
    };
    expect(await said('src/backup.ts', ['somewhere'], given)).toMatch(/^1: The database is unreachable/);
    expect(await said('src/restore.ts', [kept], given)).toMatch(/^1: .* is a copy of the embedded database\./);
  });
});

const SECRET = 'k3y-f0r-the-tests-of-backups-0123456789';
