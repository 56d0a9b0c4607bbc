import { Injectable } from '@nestjs/common';
import { joinTeamMembers, joinUserOf } from '../../access/visibility/people.view.js';
import { DEFAULT_WAY } from '../../common/notifications.js';
import { Database } from '../../platform/database/database.js';
import { DUE, DUE_ENTRIES, ENTRIES, RAISED } from './notification-reasons.view.js';

/**
 * SQL: writes one notification for each user, entity and day. It keeps all reasons until the user reads it. A later
 * event of the day makes it unread again, but causes no second mail. Agents get no notifications, because they follow
 * the feed.
 */
const notify = (raised: string): string => `
  raised AS MATERIALIZED (${raised}),
  meant AS (
    SELECT r.*, u.id AS user_id, (r.occurred_at AT TIME ZONE 'UTC')::date AS day, x.kind AS entity_type,
      coalesce(u.notify->>r.kind, '${DEFAULT_WAY}') AS way
    FROM (
      SELECT one.sequence, one.kind, one.entity_id, one.person, one.source_id, one.actor_id, one.occurred_at FROM raised one
      UNION SELECT one.sequence, one.kind, one.entity_id, m.resource_id, one.source_id, one.actor_id, one.occurred_at
        FROM raised one ${joinTeamMembers('m', 'one.person')}) r
    ${joinUserOf('u', 'r.person')} AND u.status = 'active' AND u.user_type = 'human'
    JOIN entities x ON x.id = r.entity_id AND x.deleted_at IS NULL
    WHERE r.actor_id IS DISTINCT FROM r.person),
  written AS (
    INSERT INTO notifications AS n (id, user_id, entity_id, entity_type, day, kinds, count, actor_id, source_id, occurred_at, mail_wanted_at)
    SELECT new_id('ntf'), user_id, entity_id, min(entity_type), day,
      ARRAY(SELECT k FROM unnest(array_agg(kind ORDER BY sequence, kind)) WITH ORDINALITY AS one (k, at) GROUP BY k ORDER BY min(at)),
      count(DISTINCT sequence), (array_agg(actor_id ORDER BY sequence DESC))[1],
      (array_agg(source_id ORDER BY sequence DESC))[1], max(occurred_at),
      CASE WHEN bool_or(way = 'mail') THEN $3::timestamptz END
    FROM meant WHERE way <> 'none' GROUP BY user_id, entity_id, day ORDER BY user_id, entity_id, day
    ON CONFLICT (user_id, entity_id, day) DO UPDATE SET
      kinds = CASE WHEN n.read_at IS NOT NULL THEN excluded.kinds
        ELSE n.kinds || ARRAY(SELECT k FROM unnest(excluded.kinds) k WHERE k <> ALL(n.kinds)) END,
      count = CASE WHEN n.read_at IS NOT NULL THEN excluded.count ELSE n.count + excluded.count END,
      actor_id = excluded.actor_id, source_id = excluded.source_id, occurred_at = excluded.occurred_at, read_at = NULL,
      mail_wanted_at = coalesce(n.mail_wanted_at, excluded.mail_wanted_at))`;

/**
 * Settings for the statements of {@link notify}: the planner expects thousands of rows for a few events, and would read
 * all entities, users and teams instead of looking up the needed ones. The costs that it then estimates would make the
 * server compile the plan first (jit), which takes longer than the statement may.
 */
const BY_INDEX =
  'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off';

/** How far due dates were processed: up to this time, and tasks that are due exactly then up to this id. */
export interface DuePosition {
  at: Date;
  taskId: string;
}

/** Creates notifications from feed entries and due dates. */
@Injectable()
export class NotificationFeedRepository {
  constructor(private readonly database: Database) {}

  async position(): Promise<number> {
    const row = await this.database.one<{ position: number }>(
      'SELECT position::float8 AS position FROM notification_feed',
    );
    return row?.position ?? 0;
  }

  /** Locks the positions against other replicas until the end of the transaction, and returns them. */
  async lockPosition(): Promise<{ position: number; due: DuePosition }> {
    const row = await this.database.one<{ position: string; at: Date; taskId: string }>(
      'SELECT position, due_until AS at, due_task_id AS "taskId" FROM notification_feed FOR NO KEY UPDATE',
    );
    if (row === undefined) throw new Error('notification_feed has no row');
    return { position: Number(row.position), due: { at: row.at, taskId: row.taskId } };
  }

  /**
   * Creates notifications for the next entries after a sequence; returns the last entry, if any. Requires a separate
   * transaction, like {@link addDue}.
   */
  async addFromFeed(position: number, limit: number, now: Date): Promise<number | undefined> {
    await this.database.query(BY_INDEX);
    const row = await this.database.one<{ last: string | null }>(
      `WITH entries AS MATERIALIZED (${ENTRIES}), single_entries AS (SELECT * FROM entries WHERE NOT is_imported),
       ${notify(RAISED.join('\n UNION ALL '))},
       moved AS (UPDATE notification_feed SET position = (SELECT max(sequence) FROM entries) WHERE EXISTS (SELECT 1 FROM entries))
       SELECT max(sequence) AS last FROM entries`,
      [position, limit, now],
    );
    return row?.last == null ? undefined : Number(row.last);
  }

  /**
   * Creates notifications for the next tasks after the position that became overdue, or due within a day, before a time;
   * returns whether there may be more.
   */
  async addDue({ at, taskId }: DuePosition, to: Date, limit: number): Promise<boolean> {
    await this.database.query(BY_INDEX);
    const row = await this.database.one<{ hasMore: boolean }>(
      `WITH entries AS MATERIALIZED (${DUE_ENTRIES}), ${notify(DUE)},
       last AS (SELECT at, id FROM entries ORDER BY at DESC, id DESC LIMIT 1),
       moved AS (UPDATE notification_feed SET due_until = coalesce((SELECT at FROM last), $2::timestamptz),
         due_task_id = coalesce((SELECT id FROM last), ''))
       SELECT EXISTS (SELECT 1 FROM last) AS "hasMore"`,
      [at, to, to, taskId, limit],
    );
    return row?.hasMore === true;
  }
}
