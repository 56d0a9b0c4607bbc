import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DATA, requireEmpty, writeManifest, type Manifest } from '../embedded-postgres/backup/manifest.js';
import { digestsOf } from '../embedded-postgres/backup/table-digests.js';
import { findProgram, runProgram } from './programs.js';
import { programConnection, requireOwnConnection, serverMajor, withPatientClient } from './server.js';

/** The file of a dump, in the format of `pg_restore`. */
export const DUMP = 'worksmith.dump';

/**
 * Dumps the database at the URL to a new folder. The digests of the manifest are those of the same snapshot of the database
 * as the dump, so that a restored copy can be compared with them although the service goes on writing.
 */
export async function dumpDatabase(url: string, folder: string): Promise<Manifest> {
  requireEmpty(folder);
  await requireOwnConnection(url);
  const begun_at = new Date().toISOString();
  const unfinished = `${folder}.new-${process.pid}`;
  mkdirSync(join(unfinished, DATA), { recursive: true, mode: 0o700 });
  try {
    const facts = await withPatientClient({ url }, async (client) => {
      const major = await serverMajor(client);
      const program = await findProgram('pg_dump', major);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
      const { database, environment } = programConnection({ url });
      const file = `--file=${join(unfinished, DATA, DUMP)}`;
      const words = ['--format=custom', '--no-password', `--snapshot=${rows[0].snapshot}`, file, database];
      await runProgram(program, words, environment);
      return { postgres: String(major), tables: await digestsOf(client, 'tables') };
    });
    const manifest = writeManifest(unfinished, { begun_at, kind: 'dump', holds_keys: false, ...facts });
    await moveTo(unfinished, folder);
    return manifest;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function moveTo(unfinished: string, folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  if (existsSync(folder) && readdirSync(folder).length === 0) await rm(folder, { recursive: true });
  renameSync(unfinished, folder);
}
