import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Connection } from './connection.js';
import { driverError, isStatementLost, sqlState } from './driver-errors.js';

/**
 * How a connection reaches the server. `session`: directly, or through a pooler that assigns a server connection until the
 * client disconnects. `transaction`: through a pooler that assigns one for each transaction. `unfit`: through a pooler that
 * refuses transactions, or that forgets which statements a client has prepared.
 */
export type Pooling = 'session' | 'transaction' | 'unfit';

export const UNFIT_POOLER =
  'The connection pooler in DATABASE_URL loses prepared statements, so that requests would fail at random. Use pool_mode = ' +
  'session, or PgBouncer 1.21 or newer with pool_mode = transaction and max_prepared_statements = 300 ' +
  '(deploy/pgbouncer.ini), or connect to the server directly.';

/** How long the second connection holds its server connection if the first one waits for it; a pooler may have only one. */
const SECOND_CONNECTION_MS = 1_000;
const MARK = 'worksmith.pooling';

/** PgBouncer says with this state that it refuses transactions, and also that the server behind it is down. */
const POOLER_ERROR = '08P01';
const isRefusal = (error: unknown): boolean =>
  isStatementLost(sqlState(error)) ||
  (sqlState(error) === POOLER_ERROR && driverError(error)?.message.includes('statement pooling mode') === true);

/** More than one round, because other clients of the pooler take and release server connections meanwhile. */
const ROUNDS = 3;

/**
 * Prepares, commits and executes on two connections, so that a pooler assigns the first one another server connection in
 * between: at its next statement if the pooler takes turns, and while the second one keeps what the first one has used
 * if it prefers the last one that was used.
 */
export async function examinePooling(connection: Connection, waitMs = SECOND_CONNECTION_MS): Promise<Pooling> {
  const first = open(connection);
  const second = open(connection);
  try {
    await first.connect();
    await second.connect();
    const seen: boolean[] = [];
    for (let round = 0; round < ROUNDS; round += 1) seen.push(await isSession(first, second, waitMs));
    return seen.includes(false) ? 'transaction' : 'session';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return 'unfit';
  } finally {
    await Promise.allSettled([second.end(), first.end()]);
  }
}

/** Whether what the first connection sets holds for it and for no other; throws if it loses a prepared statement. */
async function isSession(first: Client, second: Client, waitMs: number): Promise<boolean> {
  const mark = randomBytes(8).toString('hex');
  const statement = { name: `pooling_${mark}`, text: 'SELECT $1::text AS prepared' };
  const isMarked = async (client: Client): Promise<boolean> => {
    const { rows } = await client.query<{ isSet: boolean | null }>(
      `SELECT current_setting('${MARK}', true) = '${mark}' AS "isSet"`,
    );
    return rows[0].isSet === true;
  };
  const isKept = async (): Promise<boolean> => {
    await first.query({ ...statement, values: ['again'] });
    // Twice, because a pooler that takes turns between two connections is back at the first one every other time.
    return [await isMarked(first), await isMarked(first)].every(Boolean);
  };
  await first.query(`SET ${MARK} = '${mark}'`);
  const kept = [await isKept(), await isKept()];
  await second.query('BEGIN');
  const isLeaked = await isMarked(second);
  const meanwhile = isKept();
  meanwhile.catch(() => undefined);
  await Promise.race([meanwhile, pause(waitMs)]);
  await second.query('COMMIT');
  kept.push(await meanwhile);
  // The name belongs to the first connection; without a pooler, the second one can use it for another statement.
  await second.query({ ...statement, text: 'SELECT $1::integer AS other', values: [1] });
  return !isLeaked && !kept.includes(false);
}

function open(connection: Connection): Client {
  const address = 'url' in connection ? { connectionString: connection.url } : connection;
  const client = new Client({ ...address, application_name: 'worksmith', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  return client;
}
