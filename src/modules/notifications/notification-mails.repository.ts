import { keyOfEntity } from '../../access/references/work-keys.view.js';
import { Injectable } from '@nestjs/common';
import { ACTIVE_USERS, isActivePerson, joinUser } from '../../access/visibility/people.view.js';
import type { Kind } from '../../common/kinds.js';
import type { NotificationKind } from '../../common/notifications.js';
import { Database } from '../../platform/database/database.js';
import { isCopiedTo } from '../messages/message-references.view.js';
import { STANDING_KINDS } from './standing-kinds.view.js';
import { isNotificationSeen } from './notification.list.js';

/** A user with notifications to mail. */
export interface MailReader {
  userId: string;
  email: string;
  lang: string;
}

/** A notification in a mail. */
export interface MailedNotification {
  kinds: NotificationKind[];
  count: number;
  entityType: Kind;
  key: string | null;
  title: string;
}

const IS_WAITING = 'n.mail_wanted_at IS NOT NULL AND n.mailed_at IS NULL';

/** SQL: the reasons of the notification `n` that still hold, without a comment of which a mail copy was sent. */
const MAILED_KINDS = `CASE WHEN n.count <= cardinality(n.kinds) AND ${isCopiedTo('n.source_id', 'n.user_id')}
  THEN array_remove(${STANDING_KINDS}, 'comment') ELSE ${STANDING_KINDS} END`;

/** Assigns notifications to mails. */
@Injectable()
export class NotificationMailsRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` users with an unread notification that has waited for a mail since `before`. */
  due(before: Date, limit: number): Promise<MailReader[]> {
    return this.database.query<MailReader>(
      `SELECT u.id AS "userId", u.email, u.lang FROM ${ACTIVE_USERS} AND u.id IN (
         SELECT n.user_id FROM notifications n ${joinUser('waiting', 'n.user_id')} AND ${isActivePerson('waiting')}
         WHERE ${IS_WAITING} AND n.mail_wanted_at <= $1 AND n.read_at IS NULL
         GROUP BY n.user_id ORDER BY min(n.mail_wanted_at) LIMIT $2)
       ORDER BY u.id`,
      [before, limit],
    );
  }

  /** Assigns all waiting notifications of the user to the mail with this time; returns how many of them are unread. */
  async gather(userId: string, at: Date): Promise<number> {
    const rows = await this.database.query(
      `UPDATE notifications n SET mailed_at = $2 WHERE n.user_id = $1 AND ${IS_WAITING} RETURNING n.read_at`,
      [userId, at],
    );
    return rows.filter(({ read_at }) => read_at === null).length;
  }

  /** The unread notifications of a mail that are currently visible to the user, newest first. */
  async contents(
    userId: string,
    at: Date,
    limit: number,
  ): Promise<{ name: string; items: MailedNotification[] } | undefined> {
    return this.database.one(
      `SELECT u.name, coalesce((SELECT json_agg(json_build_object('kinds', one.kinds, 'count', one.count, 'entityType', one.entity_type, 'key', one.key, 'title', one.title) ORDER BY one.occurred_at DESC, one.id)
         FROM (SELECT n.id, mailed.kinds, n.count, n.entity_type, n.occurred_at, ${keyOfEntity('x').sql} AS key, x.title FROM notifications n JOIN entities x ON x.id = n.entity_id
           CROSS JOIN LATERAL (SELECT ${MAILED_KINDS} AS kinds) mailed
           WHERE n.user_id = u.id AND n.mailed_at = $2 AND n.read_at IS NULL AND x.deleted_at IS NULL AND cardinality(mailed.kinds) > 0
             AND (u.is_admin OR ${isNotificationSeen('$1')})
           ORDER BY n.occurred_at DESC, n.id LIMIT $3) one), '[]') AS items
       FROM ${ACTIVE_USERS} AND u.id = $1`,
      [userId, at, limit],
    );
  }
}
