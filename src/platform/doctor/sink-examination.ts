import type { RunQuery } from '../audit/audit-verification.js';
import { ok, warning, type DoctorFinding } from './findings.js';

const LATE_MINUTES = 15;

interface SinkRow {
  lastError: string | null;
  failures: number;
  waiting: number;
  minutes: number;
}

/** Checks whether the receiver of AUDIT_SINK, given as its protocol and host, takes the entries of the audit. */
export async function examineSink(query: RunQuery, target: string | undefined): Promise<DoctorFinding[]> {
  if (target === undefined) return [];
  const [row] = await query<SinkRow>(
    `SELECT sink.last_error AS "lastError", sink.failures,
       (coalesce((SELECT max(position) FROM audit_seals), 0) - sink.position)::integer AS waiting,
       coalesce((SELECT extract(epoch FROM clock_timestamp() - seal.sealed_at) / 60 FROM audit_seals seal
         WHERE seal.position > sink.position ORDER BY seal.position LIMIT 1), 0)::integer AS minutes
     FROM audit_sinks sink WHERE sink.target = $1`,
    [target],
  );
  if (row === undefined) return [warning(`${target} has not received any entry of the audit yet. Start the service.`)];
  const { lastError, failures, waiting, minutes } = row;
  const wait = `${waiting} entries of the audit wait for ${target}`;
  if (lastError !== null) return [warning(`${wait}, which has not taken them ${failures} times: ${lastError}.`)];
  if (minutes >= LATE_MINUTES) return [warning(`${wait}, the oldest for ${minutes} minutes.`)];
  return [ok(`${target} has received the audit, but for ${waiting} entries.`)];
}
