import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { PlacedEntry } from '../activity/feed/feed.repository.js';

/** Creates deliveries from entries of the feed. */
@Injectable()
export class WebhookFeedRepository {
  constructor(private readonly database: Database) {}

  /** The earliest sequence after which an enabled webhook receives events; undefined if none is enabled. */
  async earliestStart(): Promise<number | undefined> {
    const row = await this.database.queryPipelined<{ since: number | null }>(
      `SELECT min(s.since)::float8 AS since FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id
       WHERE w.is_enabled AND $1::text IS NULL`,
      [null],
    );
    return row?.since ?? undefined;
  }

  async position(): Promise<number> {
    const row = await this.database.one<{ position: number }>('SELECT position::float8 AS position FROM webhook_feed');
    return row?.position ?? 0;
  }

  /** Locks the position of the fan-out and returns it; undefined if another replica has locked it. */
  async lockPosition(): Promise<number | undefined> {
    const row = await this.database.one<{ position: string }>(
      'SELECT position FROM webhook_feed FOR NO KEY UPDATE SKIP LOCKED',
    );
    return row && Number(row.position);
  }

  async advance(position: number): Promise<void> {
    await this.database.query('UPDATE webhook_feed SET position = $1', [position]);
  }

  /**
   * Locks the states of the enabled webhooks in the containers of the entries, so that no delivery ends while this
   * transaction decides which new deliveries must wait for an earlier one. Returns whether there are any.
   */
  async lockInterested(entries: readonly PlacedEntry[]): Promise<boolean> {
    const containers = [...new Set(entries.flatMap(({ place, home }) => [place, home]))];
    const rows = await this.database.query(
      `SELECT 1 FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id
       WHERE w.is_enabled AND (w.organization_id = ANY($1::text[]) OR w.endeavour_id = ANY($1::text[]))
       ORDER BY s.webhook_id FOR UPDATE OF s`,
      [containers],
    );
    return rows.length > 0;
  }

  /**
   * Inserts the deliveries for these entries; the first one of each entity is due, unless an earlier one is pending.
   */
  async addDeliveries(entries: readonly PlacedEntry[], now: Date): Promise<boolean> {
    const rows = await this.database.query(
      `WITH added AS (
         INSERT INTO webhook_deliveries (id, webhook_id, type, event_id, entity_id, sequence, order_key, due_at)
         SELECT new_id('whd'), w.id, n.type, n."eventId", n."entityId", n.sequence, n."entityId",
           CASE WHEN row_number() OVER (PARTITION BY w.id, n."entityId" ORDER BY n.sequence) = 1
             AND NOT EXISTS (SELECT 1 FROM webhook_deliveries earlier WHERE earlier.webhook_id = w.id
               AND earlier.order_key = n."entityId" AND earlier.status = 'pending')
           THEN $2::timestamptz END
         FROM json_to_recordset($1::json) AS n (sequence bigint, "eventId" text, type text, "entityId" text,
             place text, home text, "occurredAt" timestamptz)
           JOIN webhooks w ON w.is_enabled
             AND (w.endeavour_id = n.place OR w.organization_id = n.place OR w.organization_id = n.home)
           JOIN webhook_states s ON s.webhook_id = w.id AND s.since < n.sequence AND s.began_at <= n."occurredAt"
         WHERE EXISTS (SELECT 1 FROM unnest(w.events) pattern
           WHERE n.type LIKE replace(replace(pattern, '_', '\\_'), '*', '%'))
         ORDER BY n.sequence
         RETURNING webhook_id)
       UPDATE webhook_states s SET due_at = least(s.due_at, $2::timestamptz)
       FROM (SELECT DISTINCT webhook_id FROM added) wanting WHERE s.webhook_id = wanting.webhook_id
       RETURNING s.webhook_id`,
      [JSON.stringify(entries), now],
    );
    return rows.length > 0;
  }
}
