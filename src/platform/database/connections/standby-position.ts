import type { QueryResult } from 'pg';

/**
 * Where reads that a standby may answer went. `standby`: it answered. Otherwise the primary did, because the standby had
 * not replayed in time what was committed (`behind`), does not answer (`unreachable`), had no free connection in time
 * (`busy`), is not a standby any more (`promoted`), belongs to another server or another timeline (`other_server`), gave
 * up the read for the sake of replication or with another error (`canceled`), or because the primary did not say its
 * position (`unknown`).
 */
export const STANDBY_OUTCOMES = [
  'standby',
  'behind',
  'unreachable',
  'busy',
  'promoted',
  'other_server',
  'canceled',
  'unknown',
] as const;
export type StandbyOutcome = (typeof STANDBY_OUTCOMES)[number];

/** What the primary has committed, and which server it is. */
export interface PrimaryPosition {
  lsn: string;
  timeline: number;
  system: string;
}

/**
 * SQL: the position behind everything that is visible on the primary. A commit is visible only after it was flushed,
 * unless it does not wait for that.
 */
export const PRIMARY_POSITION = `SELECT at.lsn::text AS lsn, ('x' || left(pg_walfile_name(at.lsn), 8))::bit(32)::integer AS timeline,
    (SELECT system_identifier::text FROM pg_control_system()) AS system
  FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END AS lsn) AS at`;

/**
 * SQL: whether the standby has replayed that position ($1) of that timeline ($2) of that system ($3). The control file
 * names the new timeline after a failover only from the next restartpoint on; until then the standby is not used.
 */
export const STANDBY_POSITION = `SELECT pg_is_in_recovery() AS "isStandby",
    pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasReplayed",
    pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::float8 AS "bytesBehind",
    (SELECT system_identifier::text FROM pg_control_system()) = $3::text
      AND greatest((SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery())) = $2::integer AS "isSame"`;

/** What a standby says about a position of the primary. */
export interface StandbyPosition {
  isStandby: boolean;
  hasReplayed: boolean | null;
  bytesBehind: number | null;
  isSame: boolean;
}

/** Whether the standby can answer reads from that position on; otherwise why not. */
export function outcomeOf({ isStandby, hasReplayed, isSame }: StandbyPosition): StandbyOutcome {
  if (!isStandby) return 'promoted';
  if (!isSame) return 'other_server';
  return hasReplayed === true ? 'standby' : 'behind';
}

interface Queryable {
  query(text: string, values?: unknown[]): Promise<QueryResult>;
}

/** Whether the server is a standby, which has no position of a primary. */
export const isInRecovery = async (client: Queryable): Promise<boolean> =>
  (await client.query('SELECT pg_is_in_recovery() AS "isStandby"')).rows[0].isStandby as boolean;

export const primaryPosition = async (client: Queryable): Promise<PrimaryPosition> =>
  (await client.query(PRIMARY_POSITION)).rows[0] as PrimaryPosition;

export async function standbyPosition(
  client: Queryable,
  { lsn, timeline, system }: PrimaryPosition,
): Promise<StandbyPosition> {
  return (await client.query(STANDBY_POSITION, [lsn, timeline, system])).rows[0] as StandbyPosition;
}
