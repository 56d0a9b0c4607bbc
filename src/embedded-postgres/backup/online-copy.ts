import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PostgresConnection } from '../database.js';
import { errorCode } from '../processes.js';
import { copyContent, makeDirectories, treeOf } from './files.js';

/** Files that a server recreates on start; the write-ahead log is copied at the end. */
const LEFT_OUT = [
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//,
  /^(postmaster\.(pid|opts)|backup_label|tablespace_map)/,
  /(^|\/)(pgsql_tmp|pg_internal\.init|t\d+_\d+)/,
];

/**
 * Copies the data of a running server. A server that is started on the copy has at least everything that was committed
 * before the copy began.
 */
export async function copyOnline(connection: PostgresConnection, cluster: string, into: string): Promise<void> {
  // Connects to another database, because the timeouts for statements and idle sessions apply to that of the service.
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const name = `backup_${process.pid}`;
    // The temporary slot makes the server keep its write-ahead log until it is copied; it ends with this session, even
    // after a failure.
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [name]);
    const first = await begin(client, name);
    copyChangingFiles(cluster, into);
    const { last, label } = await end(client);
    copyLog(join(cluster, 'pg_wal'), join(into, 'pg_wal'), first, last);
    writeFileSync(join(into, 'backup_label'), label, { mode: 0o600 });
  } finally {
    await client.end();
  }
}

async function begin(client: Client, name: string): Promise<string> {
  const { rows } = await client.query<{ first: string }>(
    'SELECT pg_walfile_name(pg_backup_start($1, fast => true)) AS first',
    [name],
  );
  return rows[0].first;
}

async function end(client: Client): Promise<{ last: string; label: string }> {
  const { rows } = await client.query<{ last: string; label: string; places: string }>(
    `SELECT pg_walfile_name(lsn) AS last, labelfile AS label, spcmapfile AS places
       FROM pg_backup_stop(wait_for_archive => false)`,
  );
  if (rows[0].places !== '')
    throw new Error('The database has tablespaces outside its data directory, which the backup does not support.');
  return rows[0];
}

function copyChangingFiles(cluster: string, into: string): void {
  const { directories, files } = treeOf(cluster, (path) => LEFT_OUT.some((pattern) => pattern.test(path)));
  makeDirectories(into, directories);
  for (const path of files) {
    try {
      copyContent(join(cluster, path), join(into, path));
    } catch (error) {
      // The file of a table that was dropped meanwhile; recovery drops the table too.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** Copies the files of the write-ahead log, whose names have equal length and sort in the order of writing. */
function copyLog(from: string, to: string, first: string, last: string): void {
  for (const name of readdirSync(from)) {
    const isNeeded = name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last);
    if (isNeeded) copyContent(join(from, name), join(to, name));
  }
}
