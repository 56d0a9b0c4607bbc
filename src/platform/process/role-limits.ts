import { Client } from 'pg';
import type { Connection } from '../database/connection.js';

/**
 * The timeouts of statements, of locks and of idle transactions, and the format of times. Plans are generic, because
 * planning a statement for each value takes several times as long as executing most of them.
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
 * Sets the limits for all later connections of this role to this database. They are settings of the role and not of the
 * connection, because connection poolers reject such startup parameters.
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
