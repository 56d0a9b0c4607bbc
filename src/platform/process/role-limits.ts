import { Client } from 'pg';
import type { Connection } from '../database/connection.js';

/**
 * How long one statement, one wait for a lock and one idle transaction may take, and how times are written. Statements
 * are planned once, not for each value: planning costs several times what most of them do.
 */
const SETTINGS = {
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Sets the limits for everything that connects as this role to this database, from the next connection on.
 * They are not given at each connection, because poolers refuse such parameters.
 */
export async function setRoleLimits(connection: Connection): Promise<void> {
  const client = new Client('url' in connection ? { connectionString: connection.url } : connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string; database: string }>(
      'SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database',
    );
    const [{ role, database }] = rows;
    for (const [name, value] of Object.entries(SETTINGS)) {
      await client.query(`ALTER ROLE ${role} IN DATABASE ${database} SET ${name} = '${value}'`);
    }
  } finally {
    await client.end();
  }
}
