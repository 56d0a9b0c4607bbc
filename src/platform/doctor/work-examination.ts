import type { RunQuery } from '../audit/audit-verification.js';
import { sqlState } from '../database/connections/driver-errors.js';
import { GONE_SECONDS } from '../database/schema/migrations.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

/** Waiting work is stuck after this time, if a replica has been running for as long. */
const STUCK_MINUTES = 10;
const STUCK = `clock_timestamp() - interval '${STUCK_MINUTES} minutes'`;

/** By what waits in it: the SQL for the times since which something in the queue is due. */
const QUEUES: Readonly<Record<string, string>> = {
  'mails to send': `SELECT due_at FROM outbox WHERE status = 'pending' AND coalesce(locked_until, due_at) < ${STUCK}`,
  'recurring jobs': `SELECT due_at FROM jobs WHERE coalesce(locked_until, due_at) < ${STUCK}`,
  'long operations': `SELECT due_at FROM operations WHERE status IN ('queued', 'running') AND due_at < ${STUCK}`,
  'webhooks with events to send': `SELECT due_at FROM webhook_states
    WHERE due_at < ${STUCK} AND coalesce(rest_until, due_at) < ${STUCK}`,
  'rules with events to look at': `SELECT due_at FROM rule_runs WHERE status = 'new' AND due_at < ${STUCK}`,
  'events to number': `SELECT e.occurred_at AS due_at FROM feed_backlog b JOIN events e ON e.sequence = b.event_sequence
    WHERE e.occurred_at < ${STUCK}`,
};

const WRITE = `CREATE TEMPORARY TABLE doctor_probe (filler text) ON COMMIT DROP;
  INSERT INTO doctor_probe SELECT repeat('x', 1900) FROM generate_series(1, 100)`;

/** Writes rows that are rolled back. */
export async function examineWriting(query: RunQuery): Promise<DoctorFinding> {
  try {
    await query(`BEGIN; ${WRITE}; ROLLBACK`);
    return ok('The database accepts writes.');
  } catch (error) {
    await query('ROLLBACK');
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = {
      '25006': 'It is read-only: use the primary server in DATABASE_URL, or end default_transaction_read_only.',
      '53100': 'Free some space on the disk of the database.',
    }[sqlState(error) ?? ''];
    if (sqlState(error) === '42501') {
      return warning(`Writing could not be tried (${reason}). Grant the role TEMPORARY on the database.`);
    }
    return fault(`The database accepts no writes (${reason}). ${remedy ?? 'Look at the log of the database.'}`);
  }
}

interface Running {
  release: string;
  count: number;
  isSteady: boolean;
}

/** Lists the running replicas; if one has been running for long enough, also checks that no work is stuck. */
export async function examineWork(query: RunQuery): Promise<DoctorFinding[]> {
  const running = await query<Running>(
    `SELECT version || ' (' || coalesce(commit, 'unknown commit') || ')' AS release, count(*)::integer AS count,
       bool_or(started_at < ${STUCK}) AS "isSteady"
     FROM replicas WHERE seen_at > clock_timestamp() - interval '${GONE_SECONDS} seconds' GROUP BY 1 ORDER BY 1`,
  );
  if (running.length === 0) return [ok('No replica of the service is running.')];
  const list = running.map(({ release, count }) => `${count} of ${release}`).join(', ');
  const replicas =
    running.length === 1
      ? ok(`Running replicas: ${list}.`)
      : warning(`Replicas of different releases are running: ${list}. Finish the upgrade.`);
  if (!running.some(({ isSteady }) => isSteady)) return [replicas];
  const findings: DoctorFinding[] = [];
  for (const [name, due] of Object.entries(QUEUES)) {
    const [{ count, minutes }] = await query<{ count: number; minutes: number | null }>(
      `SELECT count(*)::integer AS count, (extract(epoch FROM clock_timestamp() - min(due_at)) / 60)::integer AS minutes
       FROM (${due} LIMIT 10000) late`,
    );
    if (count > 0) findings.push(fault(stuckMessage(name, count, minutes ?? 0)));
  }
  return [replicas, ...(findings.length > 0 ? findings : [ok('No queue is stuck.')])];
}

const stuckMessage = (name: string, count: number, minutes: number): string =>
  `Stuck: ${count} ${name}, the oldest for ${minutes} minutes. At least one process must run with BACKGROUND_JOBS=true; if one ` +
  'does, its log names the cause.';
