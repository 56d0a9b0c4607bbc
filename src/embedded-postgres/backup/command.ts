import { StartError } from '../../common/start-error.js';
import type { Settings } from '../../platform/config/settings.js';
import type { Manifest } from './manifest.js';

/** The backup commands support only the embedded database; an external database has other tools. */
export function requireEmbedded({ DATABASE_URL }: Settings): void {
  if (DATABASE_URL === undefined) return;
  throw new StartError(
    'DATABASE_URL is set. Back up and restore an external PostgreSQL with its own tools (pg_basebackup, ' +
      'pg_dump or the tools of your provider); see docs/backup.md.',
  );
}

/** Summarizes a backup for the console. */
export function summary({ begun_at, files, tables }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = tables.reduce((sum, table) => sum + Number(table.rows), 0);
  return `the database as of ${begun_at} or later: ${rows} rows in ${tables.length} tables, ${files.length} files, ${Math.ceil(bytes / 1e6)} MB`;
}
