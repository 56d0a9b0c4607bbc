import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { visible } from '../../access/visibility.js';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import type { Message } from './message.entity.js';

/** What an answer needs to know of the message that it answers. */
type Answered = Pick<Message, 'id' | 'threadId' | 'senderId' | 'subject' | 'entityId'> & { recipients: string[] };

/** Finds out who can be written to, and who wrote to whom. */
@Injectable()
export class Correspondents {
  constructor(private readonly database: Database) {}

  /** The resources behind `res_` and `usr_` ids and `me`; refuses all that the caller cannot see, at once. */
  async resolve(me: Caller, refs: readonly string[]): Promise<string[]> {
    if (refs.length === 0) return [];
    const wanted = refs.map((ref) => (ref === 'me' ? me.resourceId : ref));
    const rows = await this.database.query<{ ref: string; id: string }>(
      `SELECT x.id AS ref, r.id FROM entities x JOIN resources r ON r.id = x.id OR r.user_id = x.id
       WHERE x.id = ANY($2::text[]) AND ${me.isAdmin ? '$1::text IS NOT NULL AND x.deleted_at IS NULL' : visible('x')}`,
      [me.userId, wanted],
    );
    const found = new Map(rows.map(({ ref, id }) => [ref, id]));
    const faults = wanted.flatMap((ref, i) => (found.has(ref) ? [] : [referenceNotFound(`recipient_ids.${i}`)]));
    if (faults.length > 0) throw invalidInput(faults);
    return [...new Set(found.values())];
  }

  async of(messageId: string): Promise<Answered> {
    const row = await this.database.one<Answered>(
      `SELECT m.id, m.thread_id AS "threadId", m.sender_id AS "senderId", m.subject, m.entity_id AS "entityId",
         ARRAY(SELECT d.resource_id FROM message_deliveries d WHERE d.message_id = m.id) AS recipients
       FROM messages m WHERE m.id = $1`,
      [messageId],
    );
    if (row === undefined) throw new Error('a message that is visible has a row');
    return row;
  }
}
