import { join } from 'node:path';
import type { Client } from 'pg';
import { StartError } from '../common/start-error.js';
import { DamagedBackup, DATA, readManifest, type Manifest } from '../embedded-postgres/backup/manifest.js';
import { tableDifferences, digestsOf } from '../embedded-postgres/backup/table-digests.js';
import { withTemporaryHome } from '../embedded-postgres/temporary-home.js';
import { withStarted } from '../embedded-postgres/use-server.js';
import type { Connection } from '../platform/database/connections/connection.js';
import { DUMP } from './dump.js';
import { findProgram, runProgram } from './programs.js';
import { programConnection, requireOwnConnection, serverMajor, withPatientClient } from './server.js';

const quiet = (): void => undefined;

/** Restores a dump into a PostgreSQL that it starts for that, and compares every table; throws {@link DamagedBackup}. */
export async function verifyDump(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  await withTemporaryHome(quiet, (dataDir) =>
    withStarted(dataDir, quiet, (connection) => restoreInto(connection, folder, manifest)),
  );
  return manifest;
}

/** Restores a dump into the empty database at the URL, in one transaction. */
export async function restoreDump(url: string, folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  await requireOwnConnection(url);
  await restoreInto({ url }, folder, manifest);
  return manifest;
}

async function restoreInto(connection: Connection, folder: string, manifest: Manifest): Promise<void> {
  await withPatientClient(connection, async (client) => {
    await requireEmptyDatabase(client);
    const major = await serverMajor(client);
    const written = Number(manifest.postgres);
    if (major < written) {
      throw new StartError(
        `The dump was made by PostgreSQL ${written} and cannot be restored with PostgreSQL ${major}. Use version ${written} or newer.`,
      );
    }
    const program = await findProgram('pg_restore', written);
    const { database, environment } = programConnection(connection);
    const rights = ['--no-owner', '--no-privileges', '--no-password'];
    const dump = join(folder, DATA, DUMP);
    await runProgram(program, ['--single-transaction', ...rights, `--dbname=${database}`, dump], environment);
    const found = tableDifferences(manifest.tables, await digestsOf(client, 'tables'));
    if (found.length > 0) throw new DamagedBackup(folder, found);
  });
}

async function requireEmptyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ database: string; tables: number }>(
    `SELECT current_database() AS database, count(*)::integer AS tables FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND nspname !~ '^pg_' AND nspname <> 'information_schema'`,
  );
  const [{ database, tables }] = rows;
  if (tables === 0) return;
  throw new StartError(
    `The database ${database} already contains ${tables} tables, views and sequences. Create an empty one ` +
      `(CREATE DATABASE restored OWNER worksmith ENCODING 'UTF8' TEMPLATE template0), and name it in DATABASE_URL.`,
  );
}
