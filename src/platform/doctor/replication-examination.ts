import type { RunQuery } from '../audit/audit-verification.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

const LATE_SECONDS = 60;
const MAX_KEPT_BYTES = 1e9;

interface Standby {
  name: string | null;
  state: string | null;
  sync: string | null;
  seconds: number | null;
  bytes: number | null;
}

interface Slot {
  name: string;
  bytes: number | null;
}

/** What a server says about its replication. */
export interface Replication {
  /** Whether commits wait for a standby. */
  isSynchronous: boolean;
  standbys: Standby[];
  /** Replication slots without a reader, with the bytes of the log that are kept for them. */
  slots: Slot[];
}

/** Checks the standbys that replicate from the server, and what it keeps for those that are gone. */
export async function examineReplication(query: RunQuery): Promise<DoctorFinding[]> {
  const [{ isStandby, isSynchronous }] = await query<{ isStandby: boolean; isSynchronous: boolean }>(
    `SELECT pg_is_in_recovery() AS "isStandby", current_setting('synchronous_standby_names') <> '' AS "isSynchronous"`,
  );
  if (isStandby) return [fault('The database is a standby. Set DATABASE_URL to the primary server.')];
  const standbys = await query<Standby>(
    `SELECT application_name AS name, state, sync_state AS sync, extract(epoch FROM replay_lag)::float8 AS seconds,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 AS bytes
     FROM pg_stat_replication ORDER BY application_name, pid`,
  );
  const slots = await query<Slot>(
    `SELECT slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS bytes
     FROM pg_replication_slots WHERE NOT active AND NOT temporary ORDER BY slot_name`,
  );
  return replicationFindings({ isSynchronous, standbys, slots });
}

export const replicationFindings = ({ isSynchronous, standbys, slots }: Replication): DoctorFinding[] => [
  ...standbyFindings(standbys, isSynchronous),
  ...slots.flatMap(slotFindings),
];

function standbyFindings(standbys: readonly Standby[], isSynchronous: boolean): DoctorFinding[] {
  // Without pg_monitor, the server shows only that there is one.
  const visible = standbys.filter(({ state }) => state !== null);
  if (visible.length < standbys.length) {
    const text = `Connected standbys: ${standbys.length}. Grant the role pg_monitor to see how late they are.`;
    return [ok(text)];
  }
  const findings = visible.map(standbyFinding);
  const hasSynchronous = visible.some(({ sync }) => sync === 'sync' || sync === 'quorum');
  if (isSynchronous && !hasSynchronous) {
    findings.push(
      fault(
        'No synchronous standby is connected, so that every write waits for one. Start it, or change synchronous_standby_names.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('No standby is connected.')];
}

function standbyFinding({ name, state, sync, seconds, bytes }: Standby): DoctorFinding {
  const megabytes = ((bytes ?? 0) / 1e6).toFixed(1);
  const text = `The standby ${name} (${sync}, ${state}) is ${megabytes} MB and ${(seconds ?? 0).toFixed(1)} s behind.`;
  return (seconds ?? 0) > LATE_SECONDS || state !== 'streaming'
    ? warning(`${text} Look at its log, its disk and its network.`)
    : ok(text);
}

/** The server keeps its log for a slot until somebody reads it, or the disk is full. */
function slotFindings({ name, bytes }: Slot): DoctorFinding[] {
  if ((bytes ?? 0) < MAX_KEPT_BYTES) return [];
  const gigabytes = ((bytes ?? 0) / 1e9).toFixed(1);
  return [
    warning(
      `Nobody reads the replication slot ${name}, for which the server keeps ${gigabytes} GB of its log. Start the standby, ` +
        `or drop the slot: SELECT pg_drop_replication_slot('${name}').`,
    ),
  ];
}
