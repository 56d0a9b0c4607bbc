import { withClient } from '../database/connections/client.js';
import type { Connection } from '../database/connections/connection.js';
import { driverError } from '../database/connections/driver-errors.js';
import { DIFFERING, parametersOf, SESSION_SETTINGS } from '../database/connections/session-settings.js';

/** An arbitrary number that all builds share: replicas that start together would change the same row. */
const ROLE_LOCK = 7_401_765;

/**
 * SQL: the settings that later connections of this role to this database would not have. Settings that this version of
 * the server does not know are left out.
 */
const MISSING = `
  SELECT wanted.name, wanted.value FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
  JOIN pg_settings known ON known.name = wanted.name
  WHERE NOT EXISTS (
    SELECT 1 FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
    WHERE r.rolname = current_user AND d.datname = current_database()
      AND wanted.name || '=' || wanted.value = ANY(s.setconfig))`;

/**
 * Sets what statements rely on for all later connections of this role to this database, which any role may do for itself.
 * They are settings of the role and not of the connection, because connection poolers reject such startup parameters. A
 * dump does not contain them. Returns the names of the settings that were missing.
 */
export async function setRoleLimits(connection: Connection): Promise<string[]> {
  return withClient(connection, async (client) => {
    // Sees what another replica has set while this one waited for the lock.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await client.query(`SELECT pg_advisory_xact_lock(${ROLE_LOCK})`);
    const { rows: missing } = await client.query<{ name: string; value: string }>(
      MISSING,
      parametersOf(SESSION_SETTINGS),
    );
    const { rows } = await client.query<{ role: string; database: string }>(
      'SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database',
    );
    const [{ role, database }] = rows;
    for (const { name, value } of missing) {
      await client.query(`ALTER ROLE ${role} IN DATABASE ${database} SET ${name} = ${literal(name, value)}`);
    }
    await client.query('COMMIT');
    return missing.map(({ name }) => name);
  });
}

/**
 * Sets the settings of the role, and reads them back on a new connection. A difference does not stop the service, which
 * also corrects them on each of its connections (prepared-client.ts).
 */
export async function prepareRole(connection: Connection, warn: (message: string) => void): Promise<void> {
  try {
    await setRoleLimits(connection);
  } catch (error) {
    warn(`The settings of the database role could not be changed (${driverError(error)?.message ?? String(error)}).`);
  }
  const differing = await differingSettings(connection);
  if (differing.length === 0) return;
  const names = differing.map(({ name, found, wanted }) => `${name} is ${found} instead of ${wanted}`).join(', ');
  warn(`On a new connection to the database, ${names}. The service corrects this on its connections.`);
}

/** A setting of which a new connection has another value. */
export interface DifferingSetting {
  name: string;
  wanted: string;
  found: string;
}

/** The settings that a new connection does not have; a pooler may give it a server connection from before they were set. */
export async function differingSettings(connection: Connection): Promise<DifferingSetting[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<DifferingSetting>(DIFFERING, parametersOf(SESSION_SETTINGS));
    return rows;
  });
}

/** The value as a literal; the elements of lists are quoted one by one, or else they are one element with a comma. */
function literal(name: string, value: string): string {
  return name === 'search_path' ? value : `'${value}'`;
}
