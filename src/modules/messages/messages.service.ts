import { Injectable } from '@nestjs/common';
import { Access, type Found } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { InnerLists } from '../../access/inner-lists.js';
import { forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import { kindOf, newId } from '../../common/ids.js';
import { printable } from '../../common/text.js';
import type { Actor } from '../../platform/changes/actor.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { Texts } from '../../platform/texts/texts.js';
import { Correspondents } from './correspondents.js';
import { Deliveries, type Audience } from './deliveries.js';
import type { Intent } from './intents.js';
import type { MarkMessageDto, ReplyDto, SendMessageDto } from './message.dto.js';
import { Message } from './message.entity.js';
import { messageList, threadList } from './message.list.js';
import { assertAddressed, audienceOf } from './message.rules.js';
import { messageView } from './message.view.js';

/** A message to be sent, by somebody or by the service itself. */
export interface Letter extends Audience {
  subject?: string | null;
  content: string;
  /** `info` where nothing is said. */
  intent?: Intent;
  /** What it is about. */
  entityId?: string | null;
  metadata?: Record<string, unknown>;
  answers?: Pick<Message, 'id' | 'threadId'>;
}

/** Internal mail between the people of the service. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly access: Access,
    private readonly correspondents: Correspondents,
    private readonly database: Database,
    private readonly deliveries: Deliveries,
    private readonly innerLists: InnerLists,
    private readonly listing: Listing,
    private readonly texts: Texts,
    private readonly writes: Writes,
  ) {}

  /**
   * Sends, for any area, without asking who may: the caller has decided that. `actor` is null where the service speaks
   * by itself. Inactive users get nothing, and whoever sends to a scope is no recipient of it.
   */
  send(actor: Actor | null, { recipients, scope, answers, ...letter }: Letter): Promise<Representation> {
    const id = newId('message');
    const { subject = null, content, intent = 'info', entityId = null, metadata } = letter;
    return this.database.transaction(() =>
      this.writes.create(actor, messageView, Message, {
        row: {
          id,
          senderId: actor?.resourceId ?? null,
          subject,
          content,
          intent,
          entityId,
          metadata,
          entityType: entityId === null ? null : kindOf(entityId),
          replyToId: answers?.id ?? null,
          threadId: answers?.threadId ?? id,
          scopeType: scope?.type ?? null,
          scopeId: scope?.id ?? null,
        },
        place: { ownerUserId: actor?.userId },
        title: printable(subject ?? content),
        news: { type: 'message.sent' },
        satellites: () => this.deliveries.deliver(id, actor?.resourceId ?? null, { recipients, scope }),
      }),
    );
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, messageList, query);
  }

  get(me: Caller, id: string): Promise<Representation> {
    return this.access.read(me, messageView, id);
  }

  async create(me: Caller, dto: SendMessageDto): Promise<Representation> {
    assertAddressed(dto);
    const scope = await this.scopeOf(me, dto);
    const recipients = await this.correspondents.resolve(me, dto.recipient_ids ?? []);
    await this.assertVisible(me, dto.entity_id);
    if (scope !== undefined) this.access.ready(scope);
    const { subject, content, intent, metadata, entity_id: entityId, scope_type: type, scope_id } = dto;
    const sent = await this.send(me, {
      recipients,
      subject,
      content,
      intent,
      entityId,
      metadata,
      scope: type && scope_id ? { type, id: scope_id } : undefined,
    });
    if (scope !== undefined) {
      const { endeavourId, organizationId } = scope.place;
      const written = { entityId: sent.id, endeavourId, organizationId, texts: [subject, content] };
      await this.texts.written(me, { kind: 'message', ...written });
    }
    return sent;
  }

  async mark(me: Caller, id: string, { read = true }: MarkMessageDto): Promise<Representation> {
    const { place } = await this.access.at(me, 'messages_update', id);
    const differs = await this.deliveries.mark(id, me.userId, read);
    if (differs === undefined) throw forbidden('being a recipient of the message');
    if (!differs) return this.access.read(me, messageView, id);
    return this.writes.record(me, messageView, id, place, { type: read ? 'message.read' : 'message.unread' });
  }

  async reply(me: Caller, id: string, dto: ReplyDto): Promise<Representation> {
    await this.access.at(me, 'messages_reply', id);
    const answered = await this.correspondents.of(id);
    if (answered.senderId !== me.resourceId && !answered.recipients.includes(me.resourceId)) {
      throw forbidden('being the sender or a recipient of the message');
    }
    return this.send(me, {
      recipients: audienceOf(answered, me.resourceId, dto.all ?? false),
      subject: dto.subject ?? answered.subject,
      content: dto.content,
      entityId: answered.entityId,
      metadata: dto.metadata,
      answers: answered,
    });
  }

  thread(me: Caller, id: string, query: RawQuery): Promise<Page> {
    const belongs = (message: string): string =>
      `m.thread_id = (SELECT one.thread_id FROM messages one WHERE one.id = ${message})`;
    return this.innerLists.page(me, id, query, { list: threadList, belongs });
  }

  private async scopeOf(me: Caller, { scope_type, scope_id }: SendMessageDto): Promise<Found | undefined> {
    if (scope_type === undefined || scope_id === undefined) return undefined;
    return this.access.named(me, 'messages_to_scope', 'scope_id', scope_id, scope_type);
  }

  private async assertVisible(me: Caller, entityId: string | undefined): Promise<void> {
    if (entityId === undefined || (await this.access.look(me, entityId)) !== undefined) return;
    throw invalidInput([referenceNotFound('entity_id')]);
  }
}
