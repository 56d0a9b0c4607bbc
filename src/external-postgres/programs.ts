import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StartError } from '../common/start-error.js';

/** A program of PostgreSQL for its clients. */
interface ClientProgram {
  path: string;
  major: number;
}

/** Where Debian installs the programs of each major version. */
const SYSTEM = '/usr/lib/postgresql';
const MAX_MESSAGE = 20_000;

/**
 * Finds a program that understands a server or a dump of this major version: the one of the same version, otherwise the next
 * newer one. Programs of older versions refuse, and much newer ones write statements that an older server does not know.
 */
export async function findProgram(name: 'pg_dump' | 'pg_restore', atLeast: number): Promise<string> {
  const found: ClientProgram[] = [];
  for (const path of candidates(name)) found.push({ path, major: await majorOf(path) });
  const [program] = found.filter(({ major }) => major >= atLeast).sort((a, b) => a.major - b.major);
  if (program !== undefined) return program.path;
  const versions = [...new Set(found.map(({ major }) => major))].join(' and ');
  throw new StartError(
    `${name} of PostgreSQL ${atLeast} or newer is required; ${versions === '' ? 'there is none' : `on this machine is only ${versions}`}. ` +
      `Install it (on Debian the package postgresql-client-${atLeast}) and make sure that PATH contains it.`,
  );
}

function candidates(name: string): string[] {
  const versions = existsSync(SYSTEM) ? readdirSync(SYSTEM).map((version) => join(SYSTEM, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...versions];
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
}

/** The major version of a program, from a line such as `pg_dump (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)`. */
async function majorOf(path: string): Promise<number> {
  const { output } = await run(path, ['--version'], {});
  return Number(/\s(\d+)/.exec(output)?.[1] ?? 0);
}

const OF_OWNER = 'The role cannot use all tables. Set DATABASE_OWNER_URL to the role that owns them.';

/**
 * Runs a program with additional environment variables. Throws a {@link StartError} with its last messages if it fails.
 */
export async function runProgram(
  path: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { code, output } = await run(path, words, environment);
  if (code === 0) return;
  const remedy = output.includes('permission denied') ? `\n${OF_OWNER}` : '';
  throw new StartError(`${path} failed (exit code ${code}):\n${output.trim()}${remedy}`);
}

function run(
  path: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const program = spawn(path, words, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [program.stdout, program.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MAX_MESSAGE)));
    }
    program.on('error', reject);
    program.on('close', (code) => resolve({ code, output }));
  });
}
