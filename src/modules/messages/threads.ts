import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import { Representation } from '../../platform/database/views/view.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { readQuery, type QueryReaders } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, exactly, viewSchema } from '../../platform/http/openapi/schemas.js';
import { messageView } from './message.view.js';
import { MessagesRepository, MAX_IN_THREAD } from './messages.repository.js';

const readers: QueryReaders = {
  before: (raw) =>
    isId('message', raw)
      ? { value: raw }
      : { code: 'invalid_format', message: 'before must be the id of a message (msg_...).' },
};

export const threadQuery = {
  before: {
    description: `The id of a message of the thread; returns the ${MAX_IN_THREAD} messages before it instead of the newest ones.`,
    schema: idOf('message'),
  },
};

/** The OpenAPI schema of a thread. */
export const threadSchema = component(
  'MessageThread',
  exactly({
    thread_id: { type: 'string', pattern: '^msg_[0-9a-f]{32}$' },
    subject: { type: ['string', 'null'], description: 'The subject of the first message that is visible to you.' },
    messages: { type: 'array', maxItems: MAX_IN_THREAD, items: viewSchema(messageView), description: 'Oldest first.' },
    total: { type: 'integer', description: 'The number of messages of the thread that are visible to you.' },
  }),
);

/** Reads message threads. */
@Injectable()
export class Threads {
  constructor(
    private readonly access: Access,
    private readonly messages: MessagesRepository,
  ) {}

  /** The newest messages of the thread that the caller sent or received, or those before `before`. */
  async read(me: Caller, messageId: string, query: RawQuery): Promise<Representation> {
    const before = (readQuery(query, readers).get('before') as string | undefined) ?? null;
    if ((await this.access.find(me, messageId)) === undefined) throw notFound();
    return new Representation(messageId, null, await this.messages.thread(me, messageId, before));
  }
}
