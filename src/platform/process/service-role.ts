import type { Client } from 'pg';
import { StartError } from '../../common/start-error.js';
import { clientOf, withClient } from '../database/connections/client.js';
import type { Connection } from '../database/connections/connection.js';

/** The role of the service in the embedded database, whose tables belong to another role. */
export const SERVICE_ROLE = 'worksmith_service';

/** Tables whose rows the service can insert and read, but neither change nor delete. */
const APPEND_ONLY = 'audit_entries, audit_seals, audit_checkpoints';

/** An arbitrary number that all builds share: concurrent grants would conflict. */
const GRANT_LOCK = 7_401_764;

const SCHEMAS = 'public, confined';

/** The connection of the service to the embedded database, from that of the owner. */
export const asService = <C extends { user: string }>(owner: C): C => ({ ...owner, user: SERVICE_ROLE });

/** Creates the role of the service if it is missing, grants its privileges, and returns its connection. */
export async function prepareService<C extends { user: string; password?: string }>(owner: C & Connection): Promise<C> {
  await withClient(owner, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN`);
    if (owner.password !== undefined) {
      await client.query(`ALTER ROLE ${SERVICE_ROLE} PASSWORD ${client.escapeLiteral(owner.password)}`);
    }
    await grant(client, SERVICE_ROLE);
  });
  return asService(owner);
}

/** Grants the role of the `service` connection its privileges on the tables of the role of the `owner` connection. */
export async function grantService(owner: Connection, service: Connection): Promise<void> {
  // The role cannot connect yet if the database is closed to others than its owner (deploy/postgres-init.sh).
  const { user } = clientOf(service);
  if (user === undefined) throw new StartError('DATABASE_URL must name a user if DATABASE_OWNER_URL is set.');
  await withClient(owner, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [user]);
    if (rowCount === 0) {
      throw new StartError(
        `The role "${user}" of DATABASE_URL does not exist. Create it: CREATE ROLE ${client.escapeIdentifier(user)} LOGIN PASSWORD '...'`,
      );
    }
    await admit(client, user);
    await grant(client, client.escapeIdentifier(user));
  });
}

/** Lets the role connect to the database of the owner. */
async function admit(client: Client, role: string): Promise<void> {
  for (const right of ['CONNECT', 'TEMPORARY']) {
    const { rows } = await client.query<{ database: string; has: boolean }>(
      'SELECT quote_ident(current_database()) AS database, has_database_privilege($1, current_database(), $2) AS has',
      [role, right],
    );
    const [{ database, has }] = rows;
    if (!has) await client.query(`GRANT ${right} ON DATABASE ${database} TO ${client.escapeIdentifier(role)}`);
  }
}

/** Runs in one transaction, so that the role can never change the append-only tables, not even for a moment. */
async function grant(client: Client, role: string): Promise<void> {
  await client.query(`BEGIN;
    SELECT pg_advisory_xact_lock(${GRANT_LOCK});
    GRANT USAGE ON SCHEMA ${SCHEMAS} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMAS} TO ${role};
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${SCHEMAS} TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${SCHEMAS} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${SCHEMAS} GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${role};
    REVOKE UPDATE, DELETE, TRUNCATE ON ${APPEND_ONLY} FROM ${role};
    REVOKE INSERT ON audit_checkpoints FROM ${role};
    COMMIT`);
}
