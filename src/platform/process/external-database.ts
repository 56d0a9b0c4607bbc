import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../database/connection.js';
import { makeDataSource, type Schema } from '../database/data-source.js';
import { isUnavailable } from '../database/faults.js';
import { refuseNewer, schemaState } from '../database/migrations.js';
import { StartError } from './start-error.js';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/** Waits until the database answers, and makes sure that it has exactly the schema of this build. */
export async function requireDatabase(
  connection: Connection,
  schema: Schema,
  log: (message: string) => void,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const source = await connect(connection, schema, log, Date.now() + patienceMs);
  try {
    const state = await schemaState(source);
    refuseNewer(state);
    const { pending } = state;
    if (pending.length > 0) {
      throw new StartError(
        `The database lacks ${pending.length} migration(s): ${pending.join(', ')}.\nRun them first: npm run migrate`,
      );
    }
  } finally {
    await source.destroy();
  }
}

async function connect(connection: Connection, schema: Schema, log: (message: string) => void, until: number) {
  for (;;) {
    try {
      return await makeDataSource(connection, schema, 1).initialize();
    } catch (error) {
      const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
      if (!isUnavailable(error)) throw new StartError(`The database refuses the connection: ${reason}`);
      if (Date.now() >= until) throw new StartError(`The database cannot be reached: ${reason}`);
      log(`The database cannot be reached yet (${reason}); trying again.`);
      await sleep(PAUSE_MS);
    }
  }
}
