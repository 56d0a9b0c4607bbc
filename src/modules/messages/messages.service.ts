import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ChildLists } from '../../access/visibility/child-lists.js';
import { conflict, forbidden, outsideRestriction, invalidInput, referenceNotFound } from '../../common/errors.js';
import { kindOf, newId } from '../../common/ids.js';
import { printable } from '../../common/texts/text.js';
import type { Actor } from '../../platform/context/actor.js';
import { AuditTrail } from '../../platform/audit/audit-trail.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import type { Intent } from './intents.js';
import { MessageDeliveriesRepository, type Audience, type Delivered } from './message-deliveries.repository.js';
import type { ReplyDto, SendMessageDto } from './message.dto.js';
import { Message } from './message.entity.js';
import { messageList } from './message.list.js';
import { assertAddressed, assertAnswered, assertReached } from './message.rules.js';
import { messageView } from './message.view.js';
import { MessagesRepository, type Answered } from './messages.repository.js';
import { RecipientResolver } from './recipient-resolver.js';
import { recipientList } from './recipient.list.js';
import { Threads } from './threads.js';

const ERASED_TEXT = 'This text has been erased.';

/** A message to be sent on behalf of a user or of the service. */
export interface NewMessage extends Audience {
  subject?: string | null;
  content: string;
  /** `info` by default. */
  intent?: Intent;
  /** The entity that it is about. */
  entityId?: string | null;
  metadata?: Record<string, unknown>;
  /** A reply goes only to the recipients, even if it belongs to a scope. */
  answers?: Pick<Message, 'id' | 'threadId'>;
}

interface Sent extends Delivered {
  message: Representation;
}

/** Sends and reads messages between users. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly access: Access,
    private readonly audit: AuditTrail,
    private readonly recipientResolver: RecipientResolver,
    private readonly database: Database,
    private readonly deliveries: MessageDeliveriesRepository,
    private readonly innerLists: ChildLists,
    private readonly listing: Listing,
    private readonly messages: MessagesRepository,
    private readonly textObservers: TextObservers,
    private readonly threads: Threads,
    private readonly writer: ResourceWriter,
  ) {
    textObservers.registerEraser((entityId, texts) => messages.eraseCopies(entityId, texts, ERASED_TEXT));
  }

  /**
   * Sends a message on behalf of a feature, without a permission check. `actor` is null for messages of the service.
   * Inactive users receive nothing, nor does the sender of a message to a scope.
   */
  async send(actor: Actor | null, message: NewMessage): Promise<Representation> {
    return (await this.dispatch(actor, message)).message;
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, messageList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const message = await this.access.getOr404(me, messageView, id, { fields });
    await this.recordForeignRead(me, id);
    return message;
  }

  async recipients(me: Caller, id: string, query: RawQuery): Promise<Page> {
    await this.recordForeignRead(me, id);
    return this.innerLists.page(me, id, query, {
      list: recipientList,
      belongs: (message) => `d.message_id = ${message}`,
    });
  }

  /** Rejects recipients at `field` that the caller could not name in a message. */
  async assertRecipients(me: Caller, recipients: readonly string[], field: string): Promise<void> {
    await this.recipientResolver.resolve(me, recipients, field);
  }

  async create(me: Caller, dto: SendMessageDto): Promise<Representation> {
    assertAddressed(dto);
    const scope = await this.scopeOf(me, dto);
    const recipients = await this.recipientResolver.resolve(me, dto.recipient_ids ?? []);
    assertWithinRestriction(me, scope);
    await this.assertVisible(me, dto.entity_id);
    if (scope !== undefined) this.access.assertWritable(scope);
    const { subject, content, intent, metadata, entity_id: entityId, scope_type: type, scope_id } = dto;
    const sent = await this.dispatch(me, {
      recipients,
      subject,
      content,
      intent,
      entityId,
      metadata,
      scope: type && scope_id ? { type, id: scope_id } : undefined,
    });
    assertReached(sent, dto);
    await this.notifyTextObservers(me, scope, sent, [subject, content]);
    return withUndeliverable(sent);
  }

  async reply(me: Caller, id: string, dto: ReplyDto): Promise<Representation> {
    await this.access.authorize(me, 'messages_reply', id);
    const answered = await this.messages.answered(me, id);
    if (!answered.isParticipant) throw forbidden('to be the sender or a recipient of the message');
    // A reply to one's own message goes to its recipients.
    const isToAll = dto.all === true || answered.senderId === me.resourceId;
    const scope = isToAll ? await this.scopeStillOpen(me, answered) : undefined;
    assertWithinRestriction(me, scope);
    const subject = dto.subject ?? answered.subject;
    const sent = await this.dispatch(me, {
      recipients: isToAll ? await this.recipientsOfReplyToAll(me, answered) : senderOf(answered),
      scope:
        scope && answered.scopeType && answered.scopeId
          ? { type: answered.scopeType, id: answered.scopeId }
          : undefined,
      subject,
      content: dto.content,
      entityId: answered.entityId,
      metadata: dto.metadata,
      answers: answered,
    });
    assertAnswered(sent);
    await this.notifyTextObservers(me, scope, sent, [dto.subject, dto.content]);
    return withUndeliverable(sent);
  }

  async thread(me: Caller, id: string, query: RawQuery): Promise<Representation> {
    const thread = await this.threads.read(me, id, query);
    await this.recordForeignRead(me, id);
    return thread;
  }

  /** Records that an administrator reads a message of other people. */
  private async recordForeignRead(me: Caller, id: string): Promise<void> {
    const message = me.isAdmin ? await this.messages.foreign(me, id) : undefined;
    if (message === undefined) return;
    const { senderUserId: userId, scopeId: containerId } = message;
    const entity = { entityType: 'message', entityId: id } as const;
    await this.audit.record({ action: 'message.read_by_administrator', userId, ...entity, containerId });
  }

  private async dispatch(
    actor: Actor | null,
    { recipients, teamsIn, scope, answers, ...properties }: NewMessage,
  ): Promise<Sent> {
    const id = newId('message');
    const { subject = null, content, intent = 'info', entityId = null, metadata } = properties;
    let delivered: Delivered | undefined;
    const message = await this.database.transaction(() =>
      this.writer.create(actor, messageView, Message, {
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
        event: { type: 'message.sent' },
        childRows: async () => {
          const audience = { recipients, teamsIn, intent, scope: answers === undefined ? scope : undefined };
          delivered = await this.deliveries.deliver(id, actor?.resourceId ?? null, audience);
          return { audience: delivered.recipientIds };
        },
      }),
    );
    if (delivered === undefined) throw new Error('the delivery is missing from the created message');
    return { message, ...delivered };
  }

  /** The scope of the answered message, if the caller still has a role there. */
  private async scopeStillOpen(me: Caller, { scopeType, scopeId }: Answered): Promise<AuthorizedResource | undefined> {
    if (scopeId === null) return undefined;
    if ((await this.access.find(me, scopeId)) === undefined) throw forbidden(`a role in this ${scopeType}`);
    const scope = await this.access.authorize(me, 'messages_reply', scopeId);
    this.access.assertWritable(scope);
    return scope;
  }

  /** The recipients of a reply to all; only the caller if there are no others. */
  private async recipientsOfReplyToAll(me: Caller, answered: Answered): Promise<string[]> {
    const others = await (answered.scopeId === null
      ? this.messages.participantsStillVisible(answered, me)
      : this.messages.participantsStillIn(answered, me));
    return others.length === 0 && answered.senderId === me.resourceId ? [me.resourceId] : others;
  }

  /** Notifies text observers of a message to a scope; they search it for alert terms. */
  private async notifyTextObservers(
    me: Caller,
    scope: AuthorizedResource | undefined,
    { message }: Sent,
    texts: (string | null | undefined)[],
  ): Promise<void> {
    if (scope === undefined) return;
    const { endeavourId, organizationId } = scope.place;
    await this.textObservers.onTextWritten(me, {
      kind: 'message',
      entityId: message.id,
      endeavourId,
      organizationId,
      texts,
    });
  }

  private async scopeOf(me: Caller, { scope_type, scope_id }: SendMessageDto): Promise<AuthorizedResource | undefined> {
    if (scope_type === undefined || scope_id === undefined) return undefined;
    return this.access.resolveReference(me, 'messages_to_scope', 'scope_id', scope_id, scope_type);
  }

  private async assertVisible(me: Caller, entityId: string | undefined): Promise<void> {
    if (entityId === undefined || (await this.access.find(me, entityId)) !== undefined) return;
    throw invalidInput([referenceNotFound('entity_id')]);
  }
}

const withUndeliverable = ({ message, undeliverable }: Sent): Representation => message.with({ undeliverable });

function senderOf({ senderId }: Answered): string[] {
  if (senderId === null) throw conflict('no_sender', 'This message was sent by the service and cannot be replied to.');
  return [senderId];
}

/** Rejects restricted tokens for messages to individuals, which are outside of every container. */
function assertWithinRestriction(me: Caller, scope: AuthorizedResource | undefined): void {
  if (me.containerId !== undefined && scope === undefined) throw outsideRestriction();
}
