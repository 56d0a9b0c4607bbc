import { statfsSync } from 'node:fs';
import { AuditChain } from '../audit/audit-chain.js';
import { AuditVerification, type RunQuery } from '../audit/audit-verification.js';
import type { Secrets } from '../config/secrets.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

const MIN_MAJOR = 15;
const MAX_LISTED = 20;
const MIN_FREE_BYTES = 1_000_000_000;
const MAX_CLOCK_DIFFERENCE_MS = 1_000;

export async function examineServer(query: RunQuery): Promise<DoctorFinding[]> {
  const before = Date.now();
  const [{ version, now }] = await query<{ version: string; now: Date }>(
    `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`,
  );
  const difference = Math.max(before - now.getTime(), now.getTime() - Date.now(), 0);
  return [
    Number.parseInt(version, 10) < MIN_MAJOR
      ? fault(`The database is PostgreSQL ${version}; the service needs ${MIN_MAJOR} or newer.`)
      : ok(`The database is PostgreSQL ${version}.`),
    difference > MAX_CLOCK_DIFFERENCE_MS
      ? warning(`The clocks of this machine and of the database server differ by ${difference} ms. Synchronize them.`)
      : ok('The clocks of this machine and of the database server agree.'),
  ];
}

/** Checks whether the role of the service could change the audit. */
export async function examineRole(query: RunQuery, role: string): Promise<DoctorFinding> {
  const [{ owns, changes }] = await query<{ owns: boolean; changes: boolean }>(
    `SELECT bool_or(r.rolsuper OR pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owns,
       bool_or(has_table_privilege(r.oid, c.oid, 'UPDATE, DELETE, TRUNCATE')) AS changes
     FROM pg_roles r, pg_class c
     WHERE r.rolname = $1 AND (c.oid IN ('audit_entries'::regclass, 'audit_seals'::regclass, 'audit_checkpoints'::regclass)
       OR has_schema_privilege(r.oid, 'partitions', 'USAGE')
         AND c.oid IN (SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = 'audit_entries'::regclass))`,
    [role],
  );
  if (owns) {
    return warning(
      `The role ${role} owns the tables of the audit and could change them; this command would detect it. Give the tables another owner (DATABASE_OWNER_URL, see docs/audit.md).`,
    );
  }
  if (changes) return fault(`The role ${role} can change the audit. Run npm run migrate with DATABASE_OWNER_URL.`);
  return ok(`The role ${role} can neither change nor delete the audit.`);
}

export async function examineAudit(query: RunQuery, secrets: Secrets): Promise<DoctorFinding[]> {
  const { faults, sealed, overdue, position, hash } = await new AuditVerification(query, new AuditChain(secrets)).run();
  const findings = faults.slice(0, MAX_LISTED).map((text) => fault(`Audit: ${text}`));
  if (faults.length > MAX_LISTED) findings.push(fault(`Audit: ${faults.length - MAX_LISTED} more faults.`));
  if (faults.length === 0) {
    findings.push(
      ok(`The audit is unchanged: ${sealed} sealed entries; last position ${position}, hash ${hash || '-'}.`),
    );
  }
  if (overdue > 0) {
    findings.push(
      warning(
        `${overdue} entries of the audit have not been sealed yet. At least one process must run with BACKGROUND_JOBS=true.`,
      ),
    );
  }
  return findings;
}

export function examineDisk(directory: string): DoctorFinding {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB are free in ${directory}.`;
  return free < MIN_FREE_BYTES ? warning(`Only ${text} Free some space.`) : ok(text);
}
