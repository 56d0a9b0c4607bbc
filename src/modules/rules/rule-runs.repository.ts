import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Metrics, readQueue } from '../../platform/metrics/metrics.js';
import { RUNS_PER_MINUTE } from './rule-run.rules.js';

/** An event of the feed that can trigger rules. */
export interface TriggeringEvent {
  sequence: number;
  eventId: string;
  type: string;
  entityId: string;
  place: string;
  occurredAt: Date;
}

/** An event that matches the patterns of a rule, with the task or demand that it is about. */
export interface MatchingEvent {
  eventId: string;
  thingId: string;
}

/** A run whose filter has not been applied. */
export interface Candidate {
  id: string;
  ruleId: string;
  thingId: string;
  attempts: number;
}

/** A run that this process carries out. */
export interface DueRun extends Candidate {
  endeavourId: string;
}

/** The most runs whose filter is applied in one statement. */
const MOST_CANDIDATES = 500;
/** Separates the locks of rules from other advisory locks. */
const LOCK_SEED = 4450;

const PENDING = `status IN ('new', 'waiting')`;
const EVENTS = `json_to_recordset($1::json) AS n (sequence bigint, "eventId" text, type text, "entityId" text, place text,
  "occurredAt" timestamptz)`;

/** SQL: the task or demand that the entity `x` is or belongs to. */
const THING = `CASE WHEN x.kind IN ('task', 'demand') THEN x.id ELSE (SELECT thing.id FROM entities thing
  WHERE thing.id = x.parent_id AND thing.kind IN ('task', 'demand')) END`;

/** SQL: whether the event `n` has one of the types that trigger the rule `ru`. */
const TRIGGERS = `EXISTS (SELECT 1 FROM unnest(ru."on") pattern
  WHERE n.type LIKE replace(replace(pattern, '_', '\\_'), '*', '%'))`;

/** The runs of rules, and the position of the rules in the feed. */
@Injectable()
export class RuleRunsRepository {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.queue('rules', () => readQueue(database, `rule_runs WHERE status = 'new' AND due_at <= now()`));
  }

  /** The earliest sequence after which an enabled rule is triggered; undefined if none is enabled. */
  async earliestStart(): Promise<number | undefined> {
    const row = await this.database.queryPipelined<{ since: number | null }>(
      `SELECT min(s.since)::float8 AS since FROM rules ru JOIN rule_states s ON s.rule_id = ru.id
       WHERE ru.is_enabled AND $1::text IS NULL`,
      [null],
    );
    return row?.since ?? undefined;
  }

  async position(): Promise<number> {
    const row = await this.database.one<{ position: number }>('SELECT position::float8 AS position FROM rule_feed');
    return row?.position ?? 0;
  }

  /** Locks the position and returns it; undefined if another replica has locked it. */
  async lockPosition(): Promise<number | undefined> {
    const row = await this.database.one<{ position: string }>(
      'SELECT position FROM rule_feed FOR NO KEY UPDATE SKIP LOCKED',
    );
    return row && Number(row.position);
  }

  async advance(position: number): Promise<void> {
    await this.database.query('UPDATE rule_feed SET position = $1', [position]);
  }

  /** Creates a run of each rule that one of the events triggers; returns whether there are any. */
  async add(events: readonly TriggeringEvent[]): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO rule_runs (id, rule_id, endeavour_id, event_id, event_type, entity_id)
       SELECT new_id('rur'), made.rule_id, made.endeavour_id, made.event_id, made.type, made.thing FROM (
         SELECT ru.id AS rule_id, ru.endeavour_id, n."eventId" AS event_id, n.type, ${THING} AS thing, n.sequence,
           ru.created_at
         FROM ${EVENTS}
           JOIN rules ru ON ru.is_enabled AND ru.endeavour_id = n.place
           JOIN rule_states s ON s.rule_id = ru.id AND s.since < n.sequence AND s.began_at <= n."occurredAt"
           JOIN entities x ON x.id = n."entityId"
         WHERE ${TRIGGERS}) made
       WHERE made.thing IS NOT NULL ORDER BY made.sequence, made.created_at, made.rule_id
       ON CONFLICT (rule_id, event_id) DO NOTHING RETURNING 1`,
      [JSON.stringify(events)],
    );
    return rows.length > 0;
  }

  /** Those of the events that match the patterns of the rule, whether or not it is enabled. */
  triggering(ruleId: string, events: readonly TriggeringEvent[]): Promise<MatchingEvent[]> {
    return this.database.query<MatchingEvent>(
      `SELECT matching."eventId", matching.thing AS "thingId" FROM (
         SELECT n."eventId", n.sequence, ${THING} AS thing
         FROM ${EVENTS} JOIN rules ru ON ru.id = $2 JOIN entities x ON x.id = n."entityId" WHERE ${TRIGGERS}) matching
       WHERE matching.thing IS NOT NULL ORDER BY matching.sequence DESC`,
      [JSON.stringify(events), ruleId],
    );
  }

  /** Whether a run has not ended. */
  async hasPending(): Promise<boolean> {
    const row = await this.database.queryPipelined<{ pending: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM rule_runs WHERE ${PENDING}) AND $1::text IS NULL AS pending`,
      [null],
    );
    return row?.pending === true;
  }

  /**
   * Locks an endeavour whose next run is due, until the end of the transaction: its runs end one after the other. One
   * that had its runs of the minute waits, except for filters.
   */
  async claimEndeavour(): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `WITH ready AS MATERIALIZED (
         SELECT waiting.endeavour_id FROM (SELECT DISTINCT endeavour_id FROM rule_runs WHERE ${PENDING}) waiting
           CROSS JOIN LATERAL (SELECT next.due_at FROM rule_runs next
             WHERE next.endeavour_id = waiting.endeavour_id AND next.${PENDING} ORDER BY next.position LIMIT 1) head
         WHERE EXISTS (SELECT 1 FROM rule_runs fresh
             WHERE fresh.endeavour_id = waiting.endeavour_id AND fresh.status = 'new' AND fresh.due_at <= now())
           OR (head.due_at <= now() AND (SELECT count(*) FROM rule_runs done
             WHERE done.endeavour_id = waiting.endeavour_id AND done.ran_at > now() - interval '1 minute')
             < ${RUNS_PER_MINUTE})
         ORDER BY random())
       SELECT ready.endeavour_id AS id FROM ready
       WHERE pg_try_advisory_xact_lock(hashtextextended(ready.endeavour_id, ${LOCK_SEED})) LIMIT 1`,
    );
    return row?.id;
  }

  /** The oldest runs of one rule of the endeavour whose filter has not been applied. */
  candidates(endeavourId: string): Promise<Candidate[]> {
    return this.database.query<Candidate>(
      `SELECT rn.id, rn.rule_id AS "ruleId", rn.entity_id AS "thingId", rn.attempts FROM rule_runs rn
       WHERE rn.endeavour_id = $1 AND rn.status = 'new' AND rn.due_at <= now() AND rn.rule_id = (
         SELECT first.rule_id FROM rule_runs first
         WHERE first.endeavour_id = $1 AND first.status = 'new' AND first.due_at <= now() ORDER BY first.position LIMIT 1)
       ORDER BY rn.position LIMIT ${MOST_CANDIDATES} FOR UPDATE`,
      [endeavourId],
    );
  }

  /** Lets those of the candidates wait whose thing is among `thingIds`, and deletes the others. */
  async keep(candidates: readonly Candidate[], thingIds: ReadonlySet<string>): Promise<void> {
    const isKept = ({ thingId }: Candidate): boolean => thingIds.has(thingId);
    const idsOf = (runs: readonly Candidate[]): string[] => runs.map(({ id }) => id);
    await this.database.query(`UPDATE rule_runs SET status = 'waiting' WHERE id = ANY($1::text[])`, [
      idsOf(candidates.filter(isKept)),
    ]);
    await this.database.query(`DELETE FROM rule_runs WHERE id = ANY($1::text[])`, [
      idsOf(candidates.filter((run) => !isKept(run))),
    ]);
  }

  async countWaiting(ruleId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM rule_runs WHERE rule_id = $1 AND ${PENDING} AND status = 'waiting'`,
      [ruleId],
    );
    return row?.count ?? 0;
  }

  /** Locks the next run of the endeavour, if it is due and the endeavour may have another one in this minute. */
  next(endeavourId: string): Promise<DueRun | undefined> {
    return this.database.one<DueRun>(
      `SELECT rn.id, rn.rule_id AS "ruleId", rn.entity_id AS "thingId", rn.endeavour_id AS "endeavourId", rn.attempts
       FROM rule_runs rn WHERE rn.id = (SELECT head.id FROM rule_runs head
           WHERE head.endeavour_id = $1 AND head.${PENDING} ORDER BY head.position LIMIT 1)
         AND rn.status = 'waiting' AND rn.due_at <= now()
         AND (SELECT count(*) FROM rule_runs done WHERE done.endeavour_id = $1
           AND done.ran_at > now() - interval '1 minute') < ${RUNS_PER_MINUTE}
       FOR UPDATE`,
      [endeavourId],
    );
  }

  /** Whether the thing is in the endeavour; it is not locked. */
  async isIn(endeavourId: string, thingId: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM entities x WHERE x.id = $1 AND x.endeavour_id = $2 AND x.deleted_at IS NULL',
      [thingId, endeavourId],
    );
    return row !== undefined;
  }

  /** Lets everything that the transaction writes name the rule, and count as no evidence. */
  async actAs(ruleId: string): Promise<void> {
    await this.database.query(`SELECT set_config('worksmith.rule', $1, true)`, [ruleId]);
  }

  /** Ends runs that have not ended otherwise. */
  async finish(
    ids: readonly string[],
    status: 'succeeded' | 'refused' | 'failed',
    { code = null, message = null }: { code?: string | null; message?: string | null } = {},
  ): Promise<void> {
    await this.database.query(
      `UPDATE rule_runs SET status = $2, error_code = $3, error = $4, due_at = NULL, ran_at = clock_timestamp()
       WHERE id = ANY($1::text[]) AND ${PENDING}`,
      [ids, status, code, message],
    );
  }

  /** Lets runs be tried again later; `counts` is whether this was one of a limited number of attempts. */
  async postpone(ids: readonly string[], seconds: number, { counts }: { counts: boolean }): Promise<void> {
    await this.database.query(
      `UPDATE rule_runs SET attempts = attempts + $3, due_at = clock_timestamp() + make_interval(secs => $2)
       WHERE id = ANY($1::text[]) AND ${PENDING}`,
      [ids, seconds, counts ? 1 : 0],
    );
  }

  /** Ends the runs of a rule that have not begun. */
  async cancel(ruleId: string, error: string): Promise<void> {
    await this.database.query(`DELETE FROM rule_runs WHERE rule_id = $1 AND status = 'new'`, [ruleId]);
    await this.database.query(
      `UPDATE rule_runs SET status = 'canceled', error = $2, due_at = NULL WHERE rule_id = $1 AND status = 'waiting'`,
      [ruleId, error],
    );
  }
}
