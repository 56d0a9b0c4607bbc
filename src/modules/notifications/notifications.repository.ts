import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, type FieldNames, type Json } from '../../platform/database/views/view.js';
import { isNotificationSeen } from './notification.list.js';
import { notificationView } from './notification.view.js';

/** SQL: the caller's own notifications about visible entities; `x` is the entity. */
const isOwn = ({ isAdmin }: Caller): string =>
  `n.user_id = $1 AND x.deleted_at IS NULL${isAdmin ? '' : ` AND ${isNotificationSeen('$1')}`}`;

/** Reads notifications and marks them as read. */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly database: Database) {}

  read(me: Caller, id: string, fields?: FieldNames): Promise<Json | undefined> {
    const sql = oneAsJson(notificationView, `n.id = $2 AND ${isOwn(me)}`, fields);
    return this.database.one<Json>(sql, [me.userId, id]);
  }

  async mark(me: Caller, id: string, read: boolean): Promise<void> {
    await this.database.query(
      `UPDATE notifications n SET read_at = CASE WHEN $3::boolean THEN coalesce(n.read_at, clock_timestamp()) END
       FROM entities x WHERE x.id = n.entity_id AND n.id = $2 AND ${isOwn(me)}`,
      [me.userId, id, read],
    );
  }

  /** The given ids that belong to notifications of the caller. */
  async own(me: Caller, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT n.id FROM notifications n JOIN entities x ON x.id = n.entity_id WHERE n.id = ANY($2::text[]) AND ${isOwn(me)}`,
      [me.userId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Marks at most `limit` of the given, or of all, unread notifications as read; returns their number. */
  async markUnread(me: Caller, ids: readonly string[] | undefined, limit: number): Promise<number> {
    const rows = await this.database.query(
      `WITH unread AS (
         SELECT n.id FROM notifications n JOIN entities x ON x.id = n.entity_id
         WHERE n.read_at IS NULL AND ($2::text[] IS NULL OR n.id = ANY($2)) AND ${isOwn(me)}
         ORDER BY n.id LIMIT $3 FOR UPDATE OF n)
       UPDATE notifications n SET read_at = clock_timestamp() FROM unread WHERE n.id = unread.id RETURNING n.id`,
      [me.userId, ids ?? null, limit],
    );
    return rows.length;
  }
}
