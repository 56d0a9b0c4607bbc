import { StartError } from '../../common/start-error.js';
import type { Connection } from '../database/connections/connection.js';
import {
  connectUntil,
  makeDataSource,
  ONE_CONNECTION,
  type DatabaseSchema,
} from '../database/connections/data-source.js';
import { assertNotTooOld, schemaState } from '../database/schema/migrations.js';
import { examinePooling, UNFIT_POOLER } from '../database/connections/pooling.js';
import { SESSION_SETTINGS } from '../database/connections/session-settings.js';
import { unreachableMessage } from './explain.js';

const MIN_MAJOR = 15;

/** Connects to the database, retrying until the timeout, and checks its version, its pooler and its schema. */
export async function requireDatabase(
  connection: Connection,
  schema: DatabaseSchema,
  log: (message: string) => void,
  timeoutMs = 0,
): Promise<void> {
  let logged: string | undefined;
  const onRetry = (error: unknown): void => {
    const reason = unreachableMessage(error);
    if (reason !== logged) log(`${reason} Retrying for ${timeoutMs / 1_000} s.`);
    logged = reason;
  };
  const pool = { ...ONE_CONNECTION, sessionSettings: SESSION_SETTINGS };
  const source = await connectUntil(Date.now() + timeoutMs, () => makeDataSource(connection, schema, pool), onRetry);
  try {
    await requireVersion(source);
    if ((await examinePooling(connection)) === 'unfit') throw new StartError(UNFIT_POOLER);
    const state = await schemaState(source);
    assertNotTooOld(state, source.migrations);
    const { pending } = state;
    if (pending.length > 0) {
      throw new StartError(
        `${pending.length} migration(s) of this release have not been applied to the database, the first is ` +
          `${pending[0]}. Apply them with: npm run migrate`,
      );
    }
  } finally {
    await source.destroy();
  }
}

async function requireVersion(source: ReturnType<typeof makeDataSource>): Promise<void> {
  const [{ version }] = await source.query<{ version: string }[]>(
    `SELECT current_setting('server_version') AS version`,
  );
  if (Number.parseInt(version, 10) >= MIN_MAJOR) return;
  throw new StartError(`The database is PostgreSQL ${version}; Worksmith requires ${MIN_MAJOR} or newer.`);
}
