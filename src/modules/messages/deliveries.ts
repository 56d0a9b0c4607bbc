import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Outbox } from '../../platform/mail/outbox.js';
import type { Scope } from './intents.js';

/** Who gets a message: resources by their ids (a team stands for its members), everyone in a container, or both. */
export interface Audience {
  recipients?: readonly string[];
  scope?: { type: Scope; id: string };
}

/** Copies of messages in the inboxes of their recipients. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Gives everyone in the audience a delivery, in one statement, and whoever asked for it a copy by mail. Inactive users
   * get none, and the sender only where named by their own id.
   */
  async deliver(messageId: string, senderId: string | null, { recipients = [], scope }: Audience): Promise<void> {
    const copies = await this.database.query<{ id: string; email: string; lang: string }>(
      `WITH addressed AS (
         SELECT unnest($3::text[]) AS id
         UNION SELECT t.resource_id FROM team_members t WHERE t.team_id = ANY($3) AND t.resource_id IS DISTINCT FROM $2::text
         UNION SELECT u.resource_id FROM endeavour_grants g JOIN users u ON u.id = g.user_id
               WHERE g.endeavour_id = $4::text AND u.resource_id IS DISTINCT FROM $2::text
         UNION SELECT o.resource_id FROM organization_resources o
               WHERE o.organization_id = $4::text AND o.user_id IS NOT NULL AND o.resource_id IS DISTINCT FROM $2::text
       ), placed AS (
         INSERT INTO message_deliveries (id, message_id, resource_id, user_id)
         SELECT new_id('mdl'), $1, r.id, r.user_id
         FROM addressed JOIN resources r ON r.id = addressed.id LEFT JOIN users u ON u.id = r.user_id
         WHERE r.type <> 'team' AND r.deleted_at IS NULL AND (u.id IS NULL OR u.status = 'active')
         RETURNING id, user_id)
       SELECT placed.id, u.email, u.lang FROM placed JOIN users u ON u.id = placed.user_id WHERE u.email_copy`,
      [messageId, senderId, recipients, scope?.id ?? null],
    );
    await this.outbox.sendAll(
      copies.map(({ id, email, lang }) => ({
        kind: 'message_copy',
        to: email,
        lang,
        data: { delivery_id: id },
        reference: id,
      })),
    );
  }

  /** Marks the user's copy as read or unread; whether that changed anything, undefined where they have no copy. */
  async mark(messageId: string, userId: string, read: boolean): Promise<boolean | undefined> {
    const row = await this.database.one<{ differs: boolean }>(
      `WITH own AS (SELECT id, (read_at IS NOT NULL) <> $3 AS differs FROM message_deliveries
                    WHERE message_id = $1 AND user_id = $2 FOR UPDATE),
       marked AS (UPDATE message_deliveries d SET read_at = CASE WHEN $3 THEN clock_timestamp() END
                  FROM own WHERE d.id = own.id AND own.differs)
       SELECT differs FROM own`,
      [messageId, userId, read],
    );
    return row?.differs;
  }
}
