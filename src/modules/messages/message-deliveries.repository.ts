import { Injectable } from '@nestjs/common';
import { joinResource, joinTeamMembers, joinUser, leftJoinResource, leftJoinUser } from '../../access/people.view.js';
import { Database } from '../../platform/database/database.js';
import type { MailValues } from '../../platform/mail/mail-contents.js';
import type { Intent, MessageScope } from './intents.js';

/**
 * The recipients of a message: resources by id (a team stands for its members), all members of a container, or both.
 */
export interface Audience {
  recipients?: readonly string[];
  /** Teams among the recipients stand for their members with a role in this endeavour or organization. */
  teamsIn?: string | null;
  scope?: { type: MessageScope; id: string };
  intent?: Intent;
}

/** The result of a delivery. */
export interface Delivered {
  recipientCount: number;
  /** The named recipients, including members of named teams, who received nothing because they are not active. */
  undeliverable: string[];
  /** The resources that received the message. */
  recipientIds: string[];
}

/** The result of a delivery, with the copies to send by mail. */
export interface DeliveredWithCopies extends Delivered {
  copies: { id: string; email: string; lang: string }[];
}

/** SQL for `IN (...)`: the resources of the people with a role in the endeavour or organization. */
const PEOPLE_IN = (container: string): string => `
  SELECT u.resource_id FROM endeavour_grants g ${joinUser('u', 'g.user_id')} WHERE g.endeavour_id = ${container}
  UNION ALL SELECT o.resource_id FROM organization_resources o WHERE o.organization_id = ${container} AND o.user_id IS NOT NULL`;

/**
 * `$1` message, `$2` sender, `$3` recipients, `$4` scope, `$5` the lowest rank in the scope that receives the message,
 * `$6` the container in which members of teams need a role.
 */
const DELIVER = `
  WITH addressed AS (
    SELECT id, bool_or(is_named) AS is_named FROM (
      SELECT unnest($3::text[]) AS id, true AS is_named
      UNION ALL SELECT m.resource_id, true FROM unnest($3::text[]) AS named (id) ${joinTeamMembers('m', 'named.id')}
        WHERE m.resource_id IS DISTINCT FROM $2::text AND ($6::text IS NULL OR m.resource_id IN (${PEOPLE_IN('$6')}))
      UNION ALL SELECT u.resource_id, false FROM endeavour_grants g ${joinUser('u', 'g.user_id')}
        WHERE g.endeavour_id = $4::text AND g.rank >= $5::integer AND u.resource_id IS DISTINCT FROM $2::text
      UNION ALL SELECT o.resource_id, false FROM organization_resources o
        WHERE o.organization_id = $4::text AND o.user_id IS NOT NULL AND role_rank(o.role) >= $5::integer
          AND o.resource_id IS DISTINCT FROM $2::text) meant
    GROUP BY id
  ), reached AS (
    SELECT r.id, r.user_id, r.name, addressed.is_named,
      (u.id IS NULL OR u.status = 'active') AS is_active
    FROM addressed ${joinResource('r', 'addressed.id')} ${leftJoinUser('u', 'r.user_id')}
    WHERE r.type <> 'team' AND r.deleted_at IS NULL
  ), placed AS (
    INSERT INTO message_deliveries (id, message_id, resource_id, user_id)
    SELECT new_id('mdl'), $1, id, user_id FROM reached WHERE is_active RETURNING id, user_id, resource_id
  ), counted AS (
    UPDATE messages SET recipient_count = (SELECT count(*) FROM placed),
      first_recipients = ARRAY(SELECT id FROM reached WHERE is_active ORDER BY name, id LIMIT 10)
    WHERE id = $1)
  SELECT (SELECT count(*)::integer FROM placed) AS "recipientCount",
    ARRAY(SELECT resource_id FROM placed ORDER BY resource_id) AS "recipientIds",
    ARRAY(SELECT id FROM reached WHERE is_named AND NOT is_active ORDER BY id) AS undeliverable,
    coalesce((SELECT json_agg(json_build_object('id', placed.id, 'email', u.email, 'lang', u.lang))
              FROM placed ${joinUser('u', 'placed.user_id')} WHERE u.email_copy), '[]') AS copies`;

const MEMBER_RANK = 2;

/** Reads and writes deliveries: the copies of messages in the inboxes of their recipients. */
@Injectable()
export class MessageDeliveriesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Creates the deliveries for the audience in one statement. Excludes inactive users, the sender unless named, and, if
   * an `action` is sent to a scope, its viewers and guests.
   */
  async deliver(
    messageId: string,
    senderId: string | null,
    { recipients = [], teamsIn = null, scope, intent }: Audience,
  ): Promise<DeliveredWithCopies> {
    const lowestRank = intent === 'action' ? MEMBER_RANK : 0;
    const values = [messageId, senderId, recipients, scope?.id ?? null, lowestRank, teamsIn];
    const delivered = await this.database.one<DeliveredWithCopies>(DELIVER, values);
    if (delivered === undefined) throw new Error('the statement returned no row');
    return delivered;
  }

  /** The values of the mail of a copy; undefined if the user has since been suspended or has turned off copies. */
  mailOf(deliveryId: string): Promise<MailValues | undefined> {
    return this.database.one<MailValues>(
      `SELECT u.name, coalesce(sender.name, 'Worksmith') AS sender, m.content,
         coalesce(nullif(m.subject, ''), left(regexp_replace(m.content, '\\s+', ' ', 'g'), 80)) AS subject
       FROM message_deliveries d JOIN messages m ON m.id = d.message_id
       ${joinUser('u', 'd.user_id')} AND u.status = 'active' AND u.email_copy
       ${leftJoinResource('sender', 'm.sender_id')}
       WHERE d.id = $1`,
      [deliveryId],
    );
  }

  /** Marks the user's copy as read or unread; returns whether it changed, or undefined if the user has no copy. */
  async mark(messageId: string, userId: string, read: boolean): Promise<boolean | undefined> {
    const row = await this.database.one<{ differs: boolean }>(
      `WITH own AS (SELECT id, (read_at IS NOT NULL) <> $3 AS differs FROM message_deliveries
                    WHERE message_id = $1 AND user_id = $2 AND removed_at IS NULL FOR UPDATE),
       marked AS (UPDATE message_deliveries d SET read_at = CASE WHEN $3 THEN clock_timestamp() END
                  FROM own WHERE d.id = own.id AND own.differs)
       SELECT differs FROM own`,
      [messageId, userId, read],
    );
    return row?.differs;
  }

  /** Locks the given messages in the user's inbox, in the order of their ids; returns the ids that are there. */
  async lockInInbox(userId: string, messageIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT message_id AS id FROM message_deliveries
       WHERE user_id = $1 AND message_id = ANY($2::text[]) AND removed_at IS NULL ORDER BY message_id FOR UPDATE`,
      [userId, messageIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Marks at most `limit` of the given, or of all, unread messages of the user as read; returns their ids. */
  async markUnreadAsRead(userId: string, messageIds: readonly string[] | undefined, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `WITH unread AS (
         SELECT id FROM message_deliveries
         WHERE user_id = $1 AND read_at IS NULL AND removed_at IS NULL AND ($2::text[] IS NULL OR message_id = ANY($2))
         ORDER BY message_id LIMIT $3 FOR UPDATE)
       UPDATE message_deliveries d SET read_at = clock_timestamp() FROM unread WHERE d.id = unread.id
       RETURNING d.message_id AS id`,
      [userId, messageIds ?? null, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes the message from the user's inbox; returns false if it is not there. */
  async remove(messageId: string, userId: string): Promise<boolean> {
    const removed = await this.database.query(
      `UPDATE message_deliveries SET removed_at = clock_timestamp()
       WHERE message_id = $1 AND user_id = $2 AND removed_at IS NULL RETURNING id`,
      [messageId, userId],
    );
    return removed.length > 0;
  }
}
