import type { Manifest } from './manifest.js';

/** Summarizes a backup for the console. */
export function summary({ begun_at, files, tables }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = tables.reduce((sum, table) => sum + Number(table.rows), 0);
  return `the database as of ${begun_at} or later: ${rows} rows in ${tables.length} tables, ${files.length} files, ${Math.ceil(bytes / 1e6)} MB`;
}
