import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { Database } from '../../../platform/database/database.js';
import { Metrics, readQueue, type QueueState } from '../../../platform/metrics/metrics.js';
import { sqlState } from '../../../platform/database/connections/driver-errors.js';
import { bodyAsJson, bindCallerId } from '../../../platform/database/views/view.js';
import { eventView } from '../event.view.js';
import { EVENT_SEPARATOR, FeedStatement, AFFECTED_USERS, type FeedPageRequest } from './feed.list.js';
import { readablePlaces } from '../readable-places.view.js';

/** A page of the feed. */
export interface FeedPage {
  /** The last assigned sequence when the page was read. */
  head: number;
  /** The last deleted sequence. */
  dropped: number;
  /** The last scanned sequence if a range has more entries; otherwise null. */
  edge: number | null;
  /** The number of matching entries, at most one more than requested. */
  picked: number;
  /** The sequence of the last requested entry. */
  last: number | null;
  /** Events as JSON, and the sequence of each. */
  items: string[];
  sequences: number[];
}

/** An entry of the feed without its event. */
export interface PlacedEntry {
  sequence: number;
  eventId: string;
  type: string;
  entityId: string;
  entityType: string;
  /** An endeavour, organization or user. */
  place: string;
  /** The home organization if the place is an endeavour that has one. */
  home: string | null;
  occurredAt: Date;
  /** The rule that made the change. */
  ruleId: string | null;
}

const QUERY_CANCELED = '57014';
const BACKLOG_SECONDS = 30 * 60;
const BACKLOG_MS = 1_000;

/** The last assigned sequence, and whether committed events without a sequence remain. */
interface NumberedEvents {
  head: string;
  hasBacklog: boolean;
}

/** SQL: whether histories keep the event permanently: creations, deletions, status changes, and events of versions. */
const KEPT = `v.type LIKE '%.created' OR v.type LIKE '%.deleted' OR 'status' = ANY(v.changed)
  OR v.entity_type IN ('dod_policy', 'ritual', 'template')`;

/** The columns and sources of {@link PlacedEntry}. */
const PLACED_ENTRY = `f.sequence::float8 AS sequence, v.id AS "eventId", f.type, f.entity_id AS "entityId",
    f.entity_type AS "entityType", f.occurred_at AS "occurredAt", v.rule_id AS "ruleId", at.place,
    (SELECT home.organization_id FROM organization_endeavours home
      WHERE home.endeavour_id = at.place AND home.is_home) AS home
  FROM feed f JOIN events v ON v.sequence = f.event_sequence
    CROSS JOIN LATERAL (SELECT split_part(f.place, ':', 1) AS place) at`;

/** Reads the feed, and assigns sequences to events. */
@Injectable()
export class FeedRepository {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    metrics.queue('events', () =>
      readQueue(
        database,
        '(SELECT e.occurred_at AS due_at FROM feed_backlog b JOIN events e ON e.sequence = b.event_sequence) waiting',
      ),
    );
  }

  /** Whether committed events of the entity have no sequence yet, because too many were committed at once. */
  async isWaiting(entityId: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM events v JOIN feed_backlog waiting ON waiting.event_sequence = v.sequence WHERE v.entity_id = $1 LIMIT 1',
      [entityId],
    );
    return row !== undefined;
  }

  /** The entries of the feed after a sequence. */
  async waitingAfter(sequence: number): Promise<QueueState> {
    const [state] = await this.database.query<QueueState>(
      `SELECT (SELECT head FROM feed_state)::float8 - $1 AS length,
         greatest(coalesce(extract(epoch FROM clock_timestamp() - (
           SELECT occurred_at FROM feed WHERE sequence > $1 ORDER BY sequence LIMIT 1)), 0), 0)::float8 AS "oldestSeconds"`,
      [sequence],
    );
    return state;
  }

  /**
   * Assigns sequences to committed events, and returns the last one. A backlog is processed in several transactions; after
   * a second, the rest is left to the next call.
   */
  async assignSequences(): Promise<number> {
    const end = performance.now() + BACKLOG_MS;
    let { head, hasBacklog } = await this.numberBatch();
    while (hasBacklog && performance.now() < end) ({ head, hasBacklog } = await this.numberBatch());
    return Number(head);
  }

  private async numberBatch(): Promise<NumberedEvents> {
    try {
      return await this.numberEvents();
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED) throw error;
      // The search for a very large backlog can exceed the statement timeout of a request.
      return this.database.unconfined(() => this.database.longTransaction(BACKLOG_SECONDS, () => this.numberEvents()));
    }
  }

  private async numberEvents(): Promise<NumberedEvents> {
    // The entries are for all users, so the restrictions of the caller's token must not apply.
    const row = await this.database.unconfined(() =>
      this.database.one<NumberedEvents>(
        'SELECT last_sequence AS head, has_backlog AS "hasBacklog" FROM number_events()',
      ),
    );
    if (row === undefined) throw new Error('number_events() returned no row.');
    return row;
  }

  async page(me: Caller, page: FeedPageRequest): Promise<FeedPage> {
    const statement = new FeedStatement(me, page);
    const row = await this.database.one<Omit<FeedPage, 'items'> & { items: string | null }>(
      statement.text(),
      statement.values,
    );
    if (row === undefined) throw new Error('The statement for a page of the feed returned no row.');
    return { ...row, items: row.items?.split(EVENT_SEPARATOR.text) ?? [] };
  }

  /** Returns a sequence that no entry before the time exceeds; commits can be late by up to an hour. */
  async lastBefore(time: Date): Promise<number> {
    const row = await this.database.one<{ sequence: number }>(
      `SELECT feed_sequence_before($1::timestamptz + interval '1 hour')::float8 AS sequence`,
      [time],
    );
    return row?.sequence ?? 0;
  }

  /** Returns the users among `userIds` who may be affected by events after one sequence up to another. */
  async affectedUsers(after: number, upTo: number, userIds: string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(AFFECTED_USERS, [after, upTo, userIds]);
    return rows.map(({ id }) => id);
  }

  /** Returns at most `limit` entries after a sequence, whether or not a caller can read them. */
  entries(after: number, limit: number): Promise<PlacedEntry[]> {
    return this.database.query<PlacedEntry>(
      `SELECT ${PLACED_ENTRY} WHERE f.sequence > $1 ORDER BY f.sequence LIMIT $2`,
      [after, limit],
    );
  }

  /** Returns at most `limit` entries of an endeavour that its readers can read, the latest first. */
  latestIn(endeavourId: string, limit: number): Promise<PlacedEntry[]> {
    return this.database.query<PlacedEntry>(
      `SELECT ${PLACED_ENTRY} WHERE f.place = $1 ORDER BY f.sequence DESC LIMIT $2`,
      [endeavourId, limit],
    );
  }

  /**
   * Returns the entries with these sequences that are in the container now and that the caller can read now, as JSON by
   * sequence. Entries in endeavours count as in their home organization too.
   */
  async readable(me: Caller, containerId: string, sequences: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.query<{ sequence: number; body: string }>(
      `SELECT f.sequence::float8 AS sequence, ${bodyAsJson(eventView)}::text AS body
       FROM ${bindCallerId(`feed f ${eventView.joins}`)} CROSS JOIN LATERAL (SELECT split_part(f.place, ':', 1) AS place) at
       WHERE f.sequence = ANY($2::bigint[]) AND f.place = feed_place(x, f.type, f.actor_id)
         AND (at.place = $3 OR EXISTS (SELECT 1 FROM organization_endeavours home
           WHERE home.endeavour_id = at.place AND home.organization_id = $3 AND home.is_home))
         AND ($4::boolean OR EXISTS (SELECT 1 FROM (${readablePlaces('$1::text')}) own
           WHERE own.base = at.place AND own.place = f.place))`,
      [me.userId, sequences, containerId, me.isAdmin],
    );
    return new Map(rows.map(({ sequence, body }) => [sequence, body]));
  }

  /**
   * Deletes at most `limit` entries of the feed that are older than that many days, the oldest first, with the events that
   * histories do not keep, and returns their number. Updates the oldest available sequence in the same statement.
   */
  async dropOlderThan(days: number, limit: number): Promise<number> {
    const row = await this.database.one<{ dropped: number }>(
      `WITH edge AS (
             SELECT feed_sequence_before(clock_timestamp() - make_interval(days => $1)) AS sequence),
           old AS (
             SELECT f.sequence, f.event_sequence FROM feed f WHERE f.sequence <= (SELECT sequence FROM edge)
             ORDER BY f.sequence LIMIT ${limit}),
           moved AS (UPDATE feed_state SET dropped = greatest(dropped, (SELECT max(sequence) FROM old))
             WHERE EXISTS (SELECT 1 FROM old)),
           entries AS (DELETE FROM feed f USING old WHERE f.sequence = old.sequence),
           gone AS (DELETE FROM events v USING old WHERE v.sequence = old.event_sequence AND NOT (${KEPT}))
           SELECT count(*)::integer AS dropped FROM old`,
      [days],
    );
    return row?.dropped ?? 0;
  }
}
