import { Injectable } from '@nestjs/common';
import { joinResourceBehind, joinUser, leftJoinUserOf, resourceOfUser } from '../../access/visibility/people.view.js';
import { isVisibleTo } from '../../access/visibility/access-statements.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { rowsAsJson } from '../../platform/database/views/view.js';
import type { Message } from './message.entity.js';
import { messageView } from './message.view.js';

/** The maximum number of messages of a thread per response. */
export const MAX_IN_THREAD = 200;

/** The properties of a message that its reply depends on. */
export type Answered = Pick<
  Message,
  'id' | 'threadId' | 'senderId' | 'subject' | 'entityId' | 'scopeType' | 'scopeId'
> & { isParticipant: boolean };

const { select, from } = rowsAsJson(messageView, 'page m');

/**
 * `$1` the caller, `$2` a message of the thread, `$3` the id of `before`, `$4` whether the caller sees all messages.
 * `entities` has what a token with a restriction reaches; `messages` has everything.
 */
const THREAD = `
  WITH seen AS (
    SELECT m.* FROM messages m
    WHERE m.thread_id = (SELECT one.thread_id FROM messages one WHERE one.id = $2)
      AND ($4 OR (m.sender_id = ${resourceOfUser('$1')} AND NOT m.closed_to_sender)
        OR EXISTS (SELECT 1 FROM message_deliveries d
                   WHERE d.message_id = m.id AND d.user_id = $1 AND d.removed_at IS NULL))
      AND EXISTS (SELECT 1 FROM entities x WHERE x.id = m.id)
  ), page AS (
    SELECT * FROM seen
    WHERE $3::text IS NULL OR (created_at, id) < (SELECT b.created_at, b.id FROM seen b WHERE b.id = $3)
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_IN_THREAD})
  SELECT json_build_object(
    'thread_id', (SELECT one.thread_id FROM messages one WHERE one.id = $2),
    'subject', (SELECT subject FROM seen ORDER BY created_at, id LIMIT 1),
    'messages', coalesce((SELECT json_agg(body ORDER BY created_at, id)
                          FROM (SELECT m.created_at, ${select} FROM ${from}) shown), '[]'),
    'total', (SELECT count(*) FROM seen))::text AS body`;

/** The sender and the recipients of the message `$1`, without the resource `$2`. */
const PARTICIPANTS = `
  SELECT d.resource_id FROM message_deliveries d WHERE d.message_id = $1 AND d.resource_id <> $2
  UNION ALL SELECT m.sender_id FROM messages m WHERE m.id = $1 AND m.sender_id <> $2`;

/** Reads messages, their participants and the entities that they refer to. */
@Injectable()
export class MessagesRepository {
  constructor(private readonly database: Database) {}

  /** The newest messages of the thread that the caller sent or received, or those before `before`; as JSON. */
  async thread(me: Caller, messageId: string, before: string | null): Promise<string> {
    const row = await this.database.one<{ body: string }>(THREAD, [me.userId, messageId, before, me.isAdmin]);
    if (row === undefined) throw new Error('the statement returned no row');
    return row.body;
  }

  /** The user who sent the message and its scope; undefined if the caller sent or received the message. */
  foreign(me: Caller, messageId: string): Promise<{ senderUserId: string | null; scopeId: string | null } | undefined> {
    return this.database.one(
      `SELECT sender.id AS "senderUserId", m.scope_id AS "scopeId"
       FROM messages m ${leftJoinUserOf('sender', 'm.sender_id')} WHERE m.id = $1 AND m.sender_id IS DISTINCT FROM $2
         AND NOT EXISTS (SELECT 1 FROM message_deliveries d WHERE d.message_id = m.id AND d.resource_id = $2)`,
      [messageId, me.resourceId],
    );
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
    if (row === undefined) throw new Error(`message ${messageId} does not exist`);
    return row;
  }

  /** The resources behind `res_` and `usr_` ids, by id; those that the caller cannot see are absent. */
  async visibleResources(me: Caller, refs: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ ref: string; id: string }>(
      `SELECT x.id AS ref, r.id FROM entities x ${joinResourceBehind('r', 'x.id')}
       WHERE x.id = ANY($2::text[]) AND ${isVisibleTo(me)}`,
      [me.userId, refs],
    );
    return new Map(rows.map(({ ref, id }) => [ref, id]));
  }

  /** The sender and the recipients of a message to a scope who still have a role there, without the caller. */
  participantsStillIn({ id, scopeId }: Pick<Answered, 'id' | 'scopeId'>, me: Caller): Promise<string[]> {
    return this.ids(
      `SELECT u.resource_id AS id FROM endeavour_grants g ${joinUser('u', 'g.user_id')}
       WHERE g.endeavour_id = $3 AND u.resource_id IN (${PARTICIPANTS})
       UNION SELECT o.resource_id FROM organization_resources o
       WHERE o.organization_id = $3 AND o.resource_id IN (${PARTICIPANTS})`,
      [id, me.resourceId, scopeId],
    );
  }

  /** The sender and the recipients of a message who are still visible to the caller, without the caller. */
  participantsStillVisible({ id, senderId }: Pick<Answered, 'id' | 'senderId'>, me: Caller): Promise<string[]> {
    return this.ids(
      `SELECT x.id FROM entities x WHERE x.id IN (${PARTICIPANTS.replaceAll('$1', '$3')})
         AND (x.id = $4 OR ${isVisibleTo(me)})`,
      [me.userId, me.resourceId, id, senderId],
    );
  }

  /** Overwrites the messages that repeat one of the texts of the entity, and alerts about it; returns their number. */
  async eraseCopies(entityId: string, texts: readonly string[], replacement: string): Promise<number> {
    const rows = await this.database.query(
      `UPDATE messages SET content = $3
       WHERE entity_id = $1 AND content <> $3 AND (content = ANY($2) OR (intent = 'alert' AND sender_id IS NULL))
       RETURNING 1`,
      [entityId, texts, replacement],
    );
    return rows.length;
  }

  /** The kind and title of a container or team; undefined if it does not exist. */
  kindAndTitleOf(id: string): Promise<{ kind: string; title: string } | undefined> {
    return this.database.one<{ kind: string; title: string }>('SELECT kind, title FROM entities WHERE id = $1', [id]);
  }

  private async ids(sql: string, values: unknown[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(sql, values);
    return rows.map(({ id }) => id);
  }
}
