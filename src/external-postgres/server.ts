import type { Client } from 'pg';
import { StartError } from '../common/start-error.js';
import type { Settings } from '../platform/config/settings.js';
import { withClient } from '../platform/database/connections/client.js';
import type { Connection } from '../platform/database/connections/connection.js';
import { examinePooling } from '../platform/database/connections/pooling.js';

/** The connection of backups: of the owner of the tables, and to the server itself and not to a pooler. */
export function backupUrl(settings: Settings): string | undefined {
  return settings.DATABASE_OWNER_URL ?? settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;
}

/** Rejects a pooler that assigns a connection for each transaction: a dump needs one of its own. */
export async function requireOwnConnection(url: string): Promise<void> {
  if ((await examinePooling({ url })) === 'session') return;
  throw new StartError(
    'A backup needs a connection of its own, and this pooler assigns one for each transaction. Set DATABASE_DIRECT_URL ' +
      'to the server itself (the port of PostgreSQL instead of that of the pooler).',
  );
}

/** The argument and the environment with which programs of PostgreSQL connect; other users can read arguments. */
export function programConnection(connection: Connection): { database: string; environment: NodeJS.ProcessEnv } {
  if ('url' in connection) {
    const url = new URL(connection.url);
    const password = decodeURIComponent(url.password);
    url.password = '';
    return { database: url.toString(), environment: password === '' ? {} : { PGPASSWORD: password } };
  }
  const { host, port, user, password, database } = connection;
  return { database, environment: { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password } };
}

/** Uses a connection of its own for the duration of the call, without the time limits of requests. */
export const withPatientClient = <T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(connection, async (client) => {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0');
    return work(client);
  });

/** The major version of the server. */
export async function serverMajor(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return Number.parseInt(rows[0].version, 10);
}
