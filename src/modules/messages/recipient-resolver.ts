import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { seenBy } from '../../access/access.js';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import type { Message } from './message.entity.js';

/** The properties of a message that its reply depends on. */
export type Answered = Pick<
  Message,
  'id' | 'threadId' | 'senderId' | 'subject' | 'entityId' | 'scopeType' | 'scopeId'
> & { isParticipant: boolean };

/** The sender and the recipients of the message `$1`, without the resource `$2`. */
const PARTICIPANTS = `
  SELECT d.resource_id FROM message_deliveries d WHERE d.message_id = $1 AND d.resource_id <> $2
  UNION ALL SELECT m.sender_id FROM messages m WHERE m.id = $1 AND m.sender_id <> $2`;

/** Finds possible recipients, and the participants of messages. */
@Injectable()
export class RecipientResolver {
  constructor(private readonly database: Database) {}

  /** The resources behind `res_` and `usr_` ids and `me`; refuses all that the caller cannot see, at once. */
  async resolve(me: Caller, refs: readonly string[]): Promise<string[]> {
    if (refs.length === 0) return [];
    const wanted = refs.map((ref) => (ref === 'me' ? me.resourceId : ref));
    const rows = await this.database.query<{ ref: string; id: string }>(
      `SELECT x.id AS ref, r.id FROM entities x JOIN resources r ON r.id = x.id OR r.user_id = x.id
       WHERE x.id = ANY($2::text[]) AND ${seenBy(me)}`,
      [me.userId, wanted],
    );
    const found = new Map(rows.map(({ ref, id }) => [ref, id]));
    const faults = wanted.flatMap((ref, i) => (found.has(ref) ? [] : [referenceNotFound(`recipient_ids.${i}`)]));
    if (faults.length > 0) throw invalidInput(faults);
    return [...new Set(found.values())];
  }

  /** The properties of a message that the caller needs to reply to it. */
  async answered(me: Caller, messageId: string): Promise<Answered> {
    const row = await this.database.one<Answered>(
      `SELECT m.id, m.thread_id AS "threadId", m.sender_id AS "senderId", m.subject, m.entity_id AS "entityId",
         m.scope_type AS "scopeType", m.scope_id AS "scopeId",
         m.sender_id = $2 OR EXISTS (SELECT 1 FROM message_deliveries d
           WHERE d.message_id = m.id AND d.resource_id = $2) AS "isParticipant"
       FROM messages m WHERE m.id = $1`,
      [messageId, me.resourceId],
    );
    if (row === undefined) throw new Error('no row for a visible message');
    return row;
  }

  /** The sender and the recipients of a message to a scope who still have a role there, without the caller. */
  async stillIn({ id, scopeId }: Pick<Answered, 'id' | 'scopeId'>, me: Caller): Promise<string[]> {
    return this.ids(
      `SELECT u.resource_id AS id FROM endeavour_grants g JOIN users u ON u.id = g.user_id
       WHERE g.endeavour_id = $3 AND u.resource_id IN (${PARTICIPANTS})
       UNION SELECT o.resource_id FROM organization_resources o
       WHERE o.organization_id = $3 AND o.resource_id IN (${PARTICIPANTS})`,
      [id, me.resourceId, scopeId],
    );
  }

  /** The sender and the recipients of a message who are still visible to the caller, without the caller. */
  async stillSeen({ id, senderId }: Pick<Answered, 'id' | 'senderId'>, me: Caller): Promise<string[]> {
    return this.ids(
      `SELECT x.id FROM entities x WHERE x.id IN (${PARTICIPANTS.replaceAll('$1', '$3')})
         AND (x.id = $4 OR ${seenBy(me)})`,
      [me.userId, me.resourceId, id, senderId],
    );
  }

  private async ids(sql: string, values: unknown[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(sql, values);
    return rows.map(({ id }) => id);
  }
}
