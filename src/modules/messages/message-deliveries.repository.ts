import { Injectable } from '@nestjs/common';
import { joinResource, joinTeamMembers, joinUser, leftJoinUser } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';
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

/** The maximum number of copies by mail from one sender to one recipient in an hour; the inbox has all messages. */
const MAX_COPIES_PER_HOUR = 20;

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
    WHERE id = $1
  ), copied AS (
    INSERT INTO message_copies (delivery_id, user_id, sender_id)
    SELECT placed.id, u.id, $2 FROM placed ${joinUser('u', 'placed.user_id')}
    WHERE u.email_copy AND ($2::text IS NULL OR (SELECT count(*) FROM message_copies c
      WHERE c.user_id = u.id AND c.sender_id = $2 AND c.created_at > now() - interval '1 hour') < ${MAX_COPIES_PER_HOUR}))
  SELECT (SELECT count(*)::integer FROM placed) AS "recipientCount",
    ARRAY(SELECT resource_id FROM placed ORDER BY resource_id) AS "recipientIds",
    ARRAY(SELECT id FROM reached WHERE is_named AND NOT is_active ORDER BY id) AS undeliverable`;

const MEMBER_RANK = 2;

/** Reads and writes deliveries: the copies of messages in the inboxes of their recipients. */
@Injectable()
export class MessageDeliveriesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Creates the deliveries for the audience in one statement, and copies by mail for users who want them. Excludes inactive users, the sender unless named, and, if
   * an `action` is sent to a scope, its viewers and guests.
   */
  async deliver(
    messageId: string,
    senderId: string | null,
    { recipients = [], teamsIn = null, scope, intent }: Audience,
  ): Promise<Delivered> {
    const lowestRank = intent === 'action' ? MEMBER_RANK : 0;
    const values = [messageId, senderId, recipients, scope?.id ?? null, lowestRank, teamsIn];
    const delivered = await this.database.one<Delivered>(DELIVER, values);
    if (delivered === undefined) throw new Error('the statement returned no row');
    return delivered;
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
