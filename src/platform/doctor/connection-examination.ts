import type { RunQuery } from '../audit/audit-verification.js';
import type { Connection } from '../database/connections/connection.js';
import { examinePooling, UNFIT_POOLER, type Pooling } from '../database/connections/pooling.js';
import { DIFFERING, parametersOf, SESSION_SETTINGS } from '../database/connections/session-settings.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

/** How the service connects, by its settings. */
export interface ConnectionPlan {
  /** The connections of one replica at most. */
  connections: number;
  directUrl?: string;
}

/** Checks the pooler between the service and the server, if there is one. */
export async function examinePooler(connection: Connection, { directUrl }: ConnectionPlan): Promise<DoctorFinding> {
  const pooling: Pooling = await examinePooling(connection);
  if (pooling === 'unfit') return fault(UNFIT_POOLER);
  if (pooling === 'session') return ok('Connections to the database keep their session and their prepared statements.');
  return directUrl === undefined
    ? warning(
        'DATABASE_URL is a pooler that assigns a connection for each transaction. Set DATABASE_DIRECT_URL to the server ' +
          'itself; npm run migrate needs it.',
      )
    : ok('The pooler in DATABASE_URL keeps prepared statements.');
}

/** Compares the settings of a new connection with what the statements rely on, and those of the server with durability. */
export async function examineSettings(query: RunQuery): Promise<DoctorFinding[]> {
  const differing = await query<{ name: string; wanted: string; found: string }>(
    DIFFERING,
    parametersOf(SESSION_SETTINGS),
  );
  const list = differing.map(({ name, wanted, found }) => `${name} is ${found} instead of ${wanted}`).join(', ');
  const unsafe = await query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings
     WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting IN ('off', 'local') ORDER BY name`,
  );
  return [
    differing.length === 0
      ? ok('New connections have the settings that the service relies on.')
      : warning(
          `On new connections, ${list}. The service corrects this on its own connections. A start of the service and npm ` +
            'run migrate set it for the role; a pooler has it when it has opened new connections (RECONNECT).',
        ),
    ...unsafe.map(({ name, setting }) =>
      fault(`${name} is ${setting}: the server can lose what it has confirmed. Set it to on.`),
    ),
  ];
}

const APPEND_ONLY = `c.relname IN ('audit_entries', 'audit_seals', 'audit_checkpoints') AND p.name IN ('UPDATE', 'DELETE')
  OR c.relname = 'audit_checkpoints' AND p.name = 'INSERT'`;

/** SQL: the rights on tables, sequences and functions of the service that the role does not have. */
const MISSING_RIGHTS = `
  WITH owner AS (SELECT relowner AS oid FROM pg_class WHERE oid = 'migrations'::regclass)
  SELECT p.name || ' on ' || c.oid::regclass AS "right" FROM owner, pg_class c, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) p (name)
  WHERE c.relowner = owner.oid AND c.relkind IN ('r', 'p', 'v') AND c.relnamespace IN ('public'::regnamespace, 'confined'::regnamespace)
    AND c.relname <> 'migrations' AND NOT has_table_privilege($1, c.oid, p.name) AND NOT (${APPEND_ONLY})
  UNION ALL SELECT 'USAGE on ' || c.oid::regclass FROM owner, pg_class c
  WHERE c.relowner = owner.oid AND c.relnamespace = 'public'::regnamespace AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege($1, c.oid, 'USAGE') END
  UNION ALL SELECT 'EXECUTE on ' || f.oid::regproc FROM owner, pg_proc f
  WHERE f.proowner = owner.oid AND f.pronamespace IN ('public'::regnamespace, 'confined'::regnamespace)
    AND NOT has_function_privilege($1, f.oid, 'EXECUTE')
  UNION ALL SELECT 'USAGE on schema ' || s.name FROM unnest('{public,confined}'::text[]) s (name)
  WHERE NOT has_schema_privilege($1, s.name, 'USAGE')
  UNION ALL SELECT 'TEMPORARY on the database' WHERE NOT has_database_privilege($1, current_database(), 'TEMPORARY')
  ORDER BY 1`;

const MAX_LISTED = 5;

/** Checks whether the role of the service has the rights and the connections that it needs, and not all rights. */
export async function examineRights(
  query: RunQuery,
  role: string,
  { connections }: ConnectionPlan,
): Promise<DoctorFinding[]> {
  const missing = (await query<{ right: string }>(MISSING_RIGHTS, [role])).map(({ right }) => right);
  const [about] = await query<{ isSuperuser: boolean; limit: number }>(
    `SELECT rolsuper AS "isSuperuser", least(nullif(rolconnlimit, -1), current_setting('max_connections')::integer -
       current_setting('superuser_reserved_connections')::integer)::integer AS limit FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const more = missing.length > MAX_LISTED ? ` and ${missing.length - MAX_LISTED} more` : '';
  return [
    missing.length === 0
      ? ok(`The role ${role} has the rights that it needs.`)
      : fault(
          `The role ${role} has no right to ${missing.slice(0, MAX_LISTED).join(', ')}${more}. Run npm run migrate, as the ` +
            'owner of the tables (DATABASE_OWNER_URL).',
        ),
    ...(about.isSuperuser
      ? [warning(`The role ${role} is a superuser. Use one with fewer rights, as deploy/postgres-init.sh creates it.`)]
      : []),
    ...(about.limit < connections
      ? [
          fault(
            `The server allows ${role} ${about.limit} connections; each replica opens ${connections} (DATABASE_POOL).`,
          ),
        ]
      : []),
  ];
}
