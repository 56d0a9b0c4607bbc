import { Injectable } from '@nestjs/common';
import { joinUser, leftJoinResource } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';

/** The copies of messages to one user that were assigned to one mail. */
export interface GatheredCopies {
  userId: string;
  email: string;
  lang: string;
  /** The reference of the mail. */
  mail: string;
  count: number;
  /** The sender of the oldest one. */
  senderId: string | null;
}

/** A message in a mail. */
export interface CopiedMessage {
  sender: string;
  subject: string;
  content: string;
}

/** The contents of a mail. */
export interface MailedCopies {
  name: string;
  count: number;
  items: CopiedMessage[];
}

/** Assigns copies of messages to mails. */
@Injectable()
export class MessageCopiesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Assigns the waiting copies of at most `limit` users to one mail each, without users who have had one since `since`.
   * The reference of a mail with a single copy is that of its delivery.
   */
  gather(at: Date, since: Date, limit: number): Promise<GatheredCopies[]> {
    return this.database.query<GatheredCopies>(
      `WITH waiting AS (
         SELECT c.user_id, count(*)::integer AS count, min(c.delivery_id) AS first, new_id('mdl') AS fresh
         FROM message_copies c
         WHERE c.mail IS NULL AND NOT EXISTS (SELECT 1 FROM message_copies r WHERE r.user_id = c.user_id AND r.gathered_at > $2)
         GROUP BY c.user_id ORDER BY min(c.created_at) LIMIT $3
       ), gathered AS (
         UPDATE message_copies c SET gathered_at = $1, mail = CASE waiting.count WHEN 1 THEN waiting.first ELSE waiting.fresh END
         FROM waiting WHERE c.user_id = waiting.user_id AND c.mail IS NULL
         RETURNING c.user_id, c.mail, c.sender_id, c.created_at, c.delivery_id)
       SELECT u.id AS "userId", u.email, u.lang, g.mail, count(*)::integer AS count,
         (array_agg(g.sender_id ORDER BY g.created_at, g.delivery_id))[1] AS "senderId"
       FROM gathered g ${joinUser('u', 'g.user_id')}
       GROUP BY u.id, g.mail ORDER BY min(g.created_at), u.id`,
      [at, since, limit],
    );
  }

  /**
   * The messages of a mail, or the message of a single delivery, newest first; undefined if the user has since been suspended or has turned off copies. Messages
   * that the user has read or removed meanwhile are no longer copied.
   */
  contents(mail: string, limit: number): Promise<MailedCopies | undefined> {
    return this.database.one<MailedCopies>(
      `WITH needless AS (
         DELETE FROM message_copies c USING message_deliveries d
         WHERE c.mail = $1 AND d.id = c.delivery_id AND (d.read_at IS NOT NULL OR d.removed_at IS NOT NULL)
       ), unread AS (
         SELECT d.user_id, m.id, m.content, m.sender_id,
           coalesce(nullif(m.subject, ''), left(regexp_replace(m.content, '\\s+', ' ', 'g'), 80)) AS subject
         FROM message_deliveries d JOIN messages m ON m.id = d.message_id
         WHERE d.id IN (SELECT c.delivery_id FROM message_copies c WHERE c.mail = $1 UNION SELECT $1) AND d.read_at IS NULL AND d.removed_at IS NULL)
       SELECT u.name, (SELECT count(*)::integer FROM unread) AS count, (SELECT json_agg(json_build_object(
           'sender', coalesce(sender.name, 'Worksmith'), 'subject', newest.subject, 'content', newest.content) ORDER BY newest.id DESC)
         FROM (SELECT * FROM unread ORDER BY id DESC LIMIT $2) newest ${leftJoinResource('sender', 'newest.sender_id')}) AS items
       FROM (SELECT DISTINCT user_id FROM unread) reader ${joinUser('u', 'reader.user_id')} AND u.status = 'active' AND u.email_copy`,
      [mail, limit],
    );
  }
}
