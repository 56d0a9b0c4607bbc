import { existsSync } from 'node:fs';
import type { Manifest } from '../embedded-postgres/backup/manifest.js';
import { findHome } from '../embedded-postgres/home.js';
import { withRunningOrStarted } from '../embedded-postgres/use-server.js';
import type { Settings } from '../platform/config/settings.js';
import type { Connection } from '../platform/database/connections/connection.js';
import { backupUrl, withPatientClient } from './server.js';

const quiet = (): void => undefined;

/**
 * Records in the database of the settings that a backup was restored and compared, for the doctor. Returns the sentence to
 * print: a backup can also be verified where the database cannot be reached.
 */
export async function recordDrill(settings: Settings, manifest: Manifest): Promise<string> {
  const url = backupUrl(settings);
  try {
    if (url !== undefined) await insert({ url }, manifest);
    else if (existsSync(findHome(settings.DATA_DIR, quiet).cluster)) {
      await withRunningOrStarted(settings.DATA_DIR, quiet, (connection) => insert(connection, manifest));
    } else return 'There is no database here in which this test could be recorded for npm run doctor.';
    return 'The test is recorded for npm run doctor.';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The test could not be recorded for npm run doctor: ${reason}`;
  }
}

const insert = (connection: Connection, { begun_at, tables }: Manifest): Promise<unknown> =>
  withPatientClient(connection, (client) =>
    client.query('INSERT INTO restore_drills (backup_begun_at, rows) VALUES ($1, $2)', [
      begun_at,
      tables.reduce((sum, { rows }) => sum + Number(rows), 0),
    ]),
  );
