import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Database } from '../../platform/database/database.js';
import { sqlState } from '../../platform/database/driver-errors.js';
import { bodyAsJson, forMe } from '../../platform/database/view.js';
import { eventView } from './event.view.js';
import { EVENT_SEPARATOR, FeedStatement, WOKEN, type FeedPageRequest } from './feed.list.js';
import { readablePlaces } from './readable-places.view.js';

/** The row of a page of the feed. */
export interface FeedPage {
  /** The last assigned sequence when the page was read, and the last removed one. */
  head: number;
  dropped: number;
  /** The last scanned sequence if there are more entries. */
  edge: number | null;
  /** The number of found entries, at most one more than requested, and the last requested one. */
  picked: number;
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
}

const CANCELED = '57014';
const BACKLOG_TIME = '30min';
const BACKLOG_MS = 1_000;

/** The last sequence that was assigned, and whether there are committed events without one. */
interface NumberedEvents {
  head: string;
  hasBacklog: boolean;
}

/** The events that histories keep permanently: creations, deletions, status changes, and all events of versions. */
const KEPT = `v.type LIKE '%.created' OR v.type LIKE '%.deleted' OR 'status' = ANY(v.changed)
  OR v.entity_type IN ('dod_policy', 'ritual', 'template')`;

/** Reads the feed, and assigns sequences to events. */
@Injectable()
export class FeedRepository {
  constructor(private readonly database: Database) {}

  /**
   * Assigns sequences to committed events; returns the last one. Many are numbered in several transactions; after a
   * second the rest is left to the next call.
   */
  async number(): Promise<number> {
    const end = performance.now() + BACKLOG_MS;
    let { head, hasBacklog } = await this.numberSome();
    while (hasBacklog && performance.now() < end) ({ head, hasBacklog } = await this.numberSome());
    return Number(head);
  }

  private async numberSome(): Promise<NumberedEvents> {
    try {
      return await this.run();
    } catch (error) {
      if (sqlState(error) !== CANCELED) throw error;
      // Finding a very large backlog can take longer than the time limit for statements of a request.
      return this.database.unconfined(() =>
        this.database.transaction(async () => {
          await this.database.query(`SET LOCAL statement_timeout = '${BACKLOG_TIME}'`);
          return this.run();
        }),
      );
    }
  }

  private async run(): Promise<NumberedEvents> {
    // All users read these entries, so the restrictions of a token must not apply.
    const row = await this.database.unconfined(() =>
      this.database.one<NumberedEvents>(
        'SELECT last_sequence AS head, has_backlog AS "hasBacklog" FROM number_events()',
      ),
    );
    if (row === undefined) throw new Error('number_events returned no row');
    return row;
  }

  async page(me: Caller, page: FeedPageRequest): Promise<FeedPage> {
    const statement = new FeedStatement(me, page);
    const row = await this.database.one<Omit<FeedPage, 'items'> & { items: string | null }>(
      statement.text(),
      statement.values,
    );
    if (row === undefined) throw new Error('the feed statement returned no row');
    return { ...row, items: row.items?.split(EVENT_SEPARATOR.text) ?? [] };
  }

  /** Those of the users who may be affected by events after one sequence and up to another. */
  async concerned(after: number, upTo: number, userIds: string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(WOKEN, [after, upTo, userIds]);
    return rows.map(({ id }) => id);
  }

  /** The entries after a sequence, regardless of who may read them; at most `limit`. */
  entries(after: number, limit: number): Promise<PlacedEntry[]> {
    return this.database.query<PlacedEntry>(
      `SELECT f.sequence::float8 AS sequence, v.id AS "eventId", f.type, f.entity_id AS "entityId",
         f.entity_type AS "entityType", f.occurred_at AS "occurredAt", at.place, (SELECT home.organization_id FROM organization_endeavours home
           WHERE home.endeavour_id = at.place AND home.is_home) AS home
       FROM feed f JOIN events v ON v.sequence = f.event_sequence
         CROSS JOIN LATERAL (SELECT split_part(f.place, ':', 1) AS place) at
       WHERE f.sequence > $1 ORDER BY f.sequence LIMIT $2`,
      [after, limit],
    );
  }

  /**
   * Of these entries those that are in the container now and that the caller may read now, as JSON by sequence. What is in
   * the endeavours whose home an organization is counts as in the organization.
   */
  async readable(me: Caller, containerId: string, sequences: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.query<{ sequence: number; body: string }>(
      `SELECT f.sequence::float8 AS sequence, ${bodyAsJson(eventView)}::text AS body
       FROM ${forMe(`feed f ${eventView.joins}`)} CROSS JOIN LATERAL (SELECT split_part(f.place, ':', 1) AS place) at
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
   * Removes the oldest entries of the feed, `most` at once, that are older than so many days, with the events that
   * histories do not keep; answers with how many. The oldest sequence that is available moves in the same statement.
   */
  async dropOlderThan(days: number, most: number): Promise<number> {
    const row = await this.database.one<{ dropped: number }>(
      `WITH edge AS (
             SELECT feed_sequence_before(clock_timestamp() - make_interval(days => $1)) AS sequence),
           old AS (
             SELECT f.sequence, f.event_sequence FROM feed f WHERE f.sequence <= (SELECT sequence FROM edge)
             ORDER BY f.sequence LIMIT ${most}),
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
