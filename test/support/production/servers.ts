import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../service.js';
import {
  copyForUser,
  folderOfUser,
  PGBOUNCER,
  POSTGRES,
  RunningProgram,
  runProgram,
  serverPrograms,
  type Version,
} from './programs.js';

export const SUPERUSER_PASSWORD = 'super-0123456789';
const PASSWORD = 'service-0123456789';

/** A limit for what hangs. */
const PATIENCE_MS = 300_000;

/** Repeats until it returns a value or true. */
export async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`never seen: ${what}`);
  }
}

/** A PostgreSQL server with its default settings, and the role and database of deploy/postgres-init.sh. */
export class StockPostgres {
  private constructor(
    private readonly version: Version,
    readonly port: number,
    private readonly data: string,
    private readonly server: RunningProgram,
  ) {}

  static async start(version: Version): Promise<StockPostgres> {
    const started = await StockPostgres.startBare(version);
    const login = { PGHOST: '127.0.0.1', PGPORT: String(started.port), PGPASSWORD: SUPERUSER_PASSWORD };
    runProgram('sh', [copyForUser('deploy/postgres-init.sh')], { ...login, DATABASE_PASSWORD: PASSWORD });
    return started;
  }

  /** Without the role and the database. */
  static async startBare(version: Version): Promise<StockPostgres> {
    const folder = folderOfUser(`postgres-${version}`, process.env.TEST_DATABASE_DIR);
    const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
    writeFileSync(passwordFile, SUPERUSER_PASSWORD, { mode: 0o644 });
    const bin = serverPrograms(version);
    runProgram(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]);
    return StockPostgres.run(version, data);
  }

  private static async run(
    version: Version,
    data: string,
    settings: Record<string, string> = {},
  ): Promise<StockPostgres> {
    const port = await freePort();
    const all = { unix_socket_directories: '', ...settings };
    const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const program = join(serverPrograms(version), 'postgres');
    const server = new RunningProgram('INT', program, ['-D', data, '-p', String(port), ...words]);
    const started = new StockPostgres(version, port, data, server);
    await until('an answer of PostgreSQL', () =>
      started.asSuperuser().then(
        () => true,
        () => false,
      ),
    );
    return started;
  }

  /** A connection of the superuser to a database. */
  connection(database: string): { host: string; port: number; user: string; password: string; database: string } {
    return { host: '127.0.0.1', port: this.port, user: 'postgres', password: SUPERUSER_PASSWORD, database };
  }

  /** A streaming standby of this server, with these settings. */
  async standby(settings: Record<string, string> = {}): Promise<StockPostgres> {
    const folder = folderOfUser(`standby-${this.version}`, process.env.TEST_DATABASE_DIR);
    const data = join(folder, 'data');
    const from = `host=127.0.0.1 port=${this.port} user=postgres password=${SUPERUSER_PASSWORD}`;
    const words = ['-d', from, '-D', data, '-R', '-X', 'stream', '-c', 'fast'];
    runProgram(join(serverPrograms(this.version), 'pg_basebackup'), words);
    return StockPostgres.run(this.version, data, settings);
  }

  /** Stops every process of the server where it is, as on a machine that hangs, or lets them go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    const children = runProgram('ps', ['-o', 'pid=', '--ppid', String(postmaster)]);
    for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) process.kill(pid, signal);
  }

  /** The connection string of the role of the service. */
  url(database = 'worksmith', port = this.port): string {
    return `postgres://worksmith:${PASSWORD}@127.0.0.1:${port}/${database}`;
  }

  /** Runs statements as the superuser; returns the rows of the last one. */
  async asSuperuser(...statements: string[]): Promise<Record<string, unknown>[]> {
    return this.runAt(`postgres://postgres:${SUPERUSER_PASSWORD}@127.0.0.1:${this.port}/postgres`, statements);
  }

  /** Runs statements as the role of the service; returns the rows of the last one. */
  async asService(...statements: string[]): Promise<Record<string, unknown>[]> {
    return this.runAt(this.url(), statements);
  }

  /** Dumps the database and restores it into a new one, as the role of the service. */
  async restoreInto(database: string): Promise<void> {
    const bin = POSTGRES[this.version];
    const file = join(folderOfUser('dump'), 'worksmith.dump');
    runProgram(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, this.url()]);
    await this.asSuperuser(`CREATE DATABASE ${database} OWNER worksmith ENCODING 'UTF8' TEMPLATE template0`);
    runProgram(join(bin, 'pg_restore'), ['--exit-on-error', `--dbname=${this.url(database)}`, file]);
  }

  /** PgBouncer with deploy/pgbouncer.ini in front of this server, with its addresses and these changes. */
  async pool(version: keyof typeof PGBOUNCER, changes: Record<string, string> = {}): Promise<RunningPooler> {
    const users = join(folderOfUser('pgbouncer'), 'userlist.txt');
    writeFileSync(users, `"worksmith" "${PASSWORD}"\n`, { mode: 0o644 });
    const port = await freePort();
    const places = {
      worksmith: `host=127.0.0.1 port=${this.port} dbname=worksmith`,
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      auth_file: users,
    };
    const file = copyForUser('deploy/pgbouncer.ini');
    let lines = readFileSync(file, 'utf8').split('\n');
    for (const [name, value] of Object.entries({ ...places, ...changes })) {
      const isChanged = (line: string): boolean => line.startsWith(`${name} =`);
      if (!lines.some(isChanged)) throw new Error(`deploy/pgbouncer.ini has no ${name}`);
      lines = lines.map((line) => (isChanged(line) ? `${name} = ${value}` : line));
    }
    // As deploy/README.md says for versions that do not know this setting.
    if (version === 'old') lines = lines.filter((line) => !line.startsWith('max_prepared_statements'));
    writeFileSync(file, `${lines.join('\n')}\nunix_socket_dir =\n`);
    const program = new RunningProgram(version === 'old' ? 'TERM' : 'QUIT', PGBOUNCER[version], [file]);
    const url = this.url('worksmith', port);
    await until('an answer of PgBouncer', async () => {
      if (program.hasEnded) throw new Error(`PgBouncer ended:\n${program.output}`);
      return this.runAt(url, ['SELECT 1']).then(
        () => true,
        () => false,
      );
    });
    return { url, end: () => program.end() };
  }

  end(): Promise<void> {
    return this.server.end();
  }

  private async runAt(url: string, statements: string[]): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    let rows: Record<string, unknown>[] = [];
    try {
      for (const sql of statements) ({ rows } = await client.query<Record<string, unknown>>(sql));
      return rows;
    } finally {
      await client.end();
    }
  }
}

export interface RunningPooler {
  url: string;
  end(): Promise<void>;
}
