import { statfsSync } from 'node:fs';
import { AuditChain } from '../audit/audit-chain.js';
import { AuditVerification, type Ask } from '../audit/audit-verification.js';
import type { Secrets } from '../config/secrets.js';

/** The result of one check. */
export interface DoctorFinding {
  state: 'ok' | 'warning' | 'fault';
  /** A sentence; for a problem, also the remedy. */
  text: string;
}

const OLDEST_MAJOR = 15;
const MOST_TOLD = 20;
const LEAST_FREE = 1_000_000_000;
const MOST_DIFFERENCE_MS = 1_000;

const ok = (text: string): DoctorFinding => ({ state: 'ok', text });
const warning = (text: string): DoctorFinding => ({ state: 'warning', text });
const fault = (text: string): DoctorFinding => ({ state: 'fault', text });

export async function examineServer(ask: Ask): Promise<DoctorFinding[]> {
  const before = Date.now();
  const [{ version, now }] = await ask<{ version: string; now: Date }>(
    `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`,
  );
  const difference = Math.max(before - now.getTime(), now.getTime() - Date.now(), 0);
  return [
    Number.parseInt(version, 10) < OLDEST_MAJOR
      ? fault(`The database is PostgreSQL ${version}; the service needs ${OLDEST_MAJOR} or newer.`)
      : ok(`The database is PostgreSQL ${version}.`),
    difference > MOST_DIFFERENCE_MS
      ? warning(`The clocks of this machine and of the database server differ by ${difference} ms. Synchronize them.`)
      : ok('The clocks of this machine and of the database server agree.'),
  ];
}

/** Checks what the role of the service could do to the audit. */
export async function examineRole(ask: Ask, role: string): Promise<DoctorFinding> {
  const [{ owns, changes }] = await ask<{ owns: boolean; changes: boolean }>(
    `SELECT bool_or(r.rolsuper OR pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owns,
       bool_or(has_table_privilege(r.oid, c.oid, 'UPDATE, DELETE, TRUNCATE')) AS changes
     FROM pg_roles r, pg_class c
     WHERE r.rolname = $1 AND c.oid IN ('audit_entries'::regclass, 'audit_seals'::regclass, 'audit_checkpoints'::regclass)`,
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

export async function examineAudit(ask: Ask, secrets: Secrets): Promise<DoctorFinding[]> {
  const { faults, sealed, overdue, position, hash } = await new AuditVerification(ask, new AuditChain(secrets)).run();
  const told = faults.slice(0, MOST_TOLD).map((text) => fault(`Audit: ${text}`));
  if (faults.length > MOST_TOLD) told.push(fault(`Audit: ${faults.length - MOST_TOLD} more faults.`));
  if (faults.length === 0) {
    told.push(ok(`The audit is unchanged: ${sealed} sealed entries; last position ${position}, hash ${hash || '-'}.`));
  }
  if (overdue > 0) {
    told.push(
      warning(
        `${overdue} entries of the audit have not been sealed yet. At least one process must run with WORKERS=true.`,
      ),
    );
  }
  return told;
}

export function examineDisk(directory: string): DoctorFinding {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB are free in ${directory}.`;
  return free < LEAST_FREE ? warning(`Only ${text} Free some space.`) : ok(text);
}
