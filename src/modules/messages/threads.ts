import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import { Representation, rowsAsJson } from '../../platform/database/view.js';
import { idOf } from '../../platform/http/fields/links.js';
import { readQuery, type QueryReaders } from '../../platform/http/plain-query.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { component, exactly, viewSchema } from '../../platform/http/schemas.js';
import { messageView } from './message.view.js';

const MOST_MESSAGES = 200;

const query: QueryReaders = {
  before: (raw) =>
    isId('message', raw)
      ? { value: raw }
      : { code: 'invalid_format', message: 'before must be the id of a message (msg_...).' },
};

export const threadQuery = {
  before: {
    description: `The id of a message of the thread; returns the ${MOST_MESSAGES} messages before it instead of the newest ones.`,
    schema: idOf('message'),
  },
};

/** A thread in the documents. */
export const threadSchema = component(
  'MessageThread',
  exactly({
    thread_id: { type: 'string', pattern: '^msg_[0-9a-f]{32}$' },
    subject: { type: ['string', 'null'], description: 'The subject of the first message that is visible to you.' },
    messages: { type: 'array', maxItems: MOST_MESSAGES, items: viewSchema(messageView), description: 'Oldest first.' },
    total: { type: 'integer', description: 'The number of messages of the thread that are visible to you.' },
  }),
);

const { select, from } = rowsAsJson(messageView, 'page m');

/** `$1` the asking user, `$2` a message of the thread, `$3` the id of `before`, `$4` whether everything is seen. */
const THREAD = `
  WITH seen AS (
    SELECT m.* FROM messages m
    WHERE m.thread_id = (SELECT one.thread_id FROM messages one WHERE one.id = $2)
      AND ($4 OR m.sender_id = (SELECT u.resource_id FROM users u WHERE u.id = $1)
        OR EXISTS (SELECT 1 FROM message_deliveries d
                   WHERE d.message_id = m.id AND d.user_id = $1 AND d.removed_at IS NULL))
  ), page AS (
    SELECT * FROM seen
    WHERE $3::text IS NULL OR (created_at, id) < (SELECT b.created_at, b.id FROM seen b WHERE b.id = $3)
    ORDER BY created_at DESC, id DESC LIMIT ${MOST_MESSAGES})
  SELECT json_build_object(
    'thread_id', (SELECT one.thread_id FROM messages one WHERE one.id = $2),
    'subject', (SELECT subject FROM seen ORDER BY created_at, id LIMIT 1),
    'messages', coalesce((SELECT json_agg(body ORDER BY created_at, id)
                          FROM (SELECT m.created_at, ${select} FROM ${from}) shown), '[]'),
    'total', (SELECT count(*) FROM seen))::text AS body`;

/** Reads conversations. */
@Injectable()
export class Threads {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
  ) {}

  /** What the caller sent or received of the thread in which the message is: the newest, or those before another one. */
  async read(me: Caller, messageId: string, sent: RawQuery): Promise<Representation> {
    const before = readQuery(sent, query).get('before') ?? null;
    if ((await this.access.find(me, messageId)) === undefined) throw notFound();
    const row = await this.database.one<{ body: string }>(THREAD, [me.userId, messageId, before, me.isAdmin]);
    if (row === undefined) throw new Error('the statement returned no row');
    return new Representation(messageId, null, row.body);
  }
}
