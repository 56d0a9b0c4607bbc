import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { forbidden, invalidInput, outsideRestriction, referenceNotFound } from '../../common/errors.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Representation } from '../../platform/database/view.js';
import { MessageDeliveriesRepository } from './message-deliveries.repository.js';
import type { MarkAllReadDto, MarkMessageDto } from './message.dto.js';
import { assertSelection } from './message.rules.js';
import { messageView } from './message.view.js';

/** Each statement stays far below the statement timeout, however many there are in all. */
const MARKED_AT_ONCE = 1000;

/** What recipients do with the messages in their own inboxes. */
@Injectable()
export class InboxService {
  constructor(
    private readonly access: Access,
    private readonly deliveries: MessageDeliveriesRepository,
    private readonly bulkWriter: BulkWriter,
    private readonly writer: ResourceWriter,
  ) {}

  async mark(me: Caller, id: string, { read = true }: MarkMessageDto): Promise<Representation> {
    const { place } = await this.access.authorize(me, 'messages_update', id);
    const differs = await this.deliveries.mark(id, me.userId, read);
    if (differs === undefined) throw forbidden('to be a recipient of the message');
    if (!differs) return this.access.getOr404(me, messageView, id);
    return this.writer.recordChange(me, messageView, id, place, { type: read ? 'message.read' : 'message.unread' });
  }

  /** Marks several messages, or all, as read; answers with how many were unread. */
  async markRead(me: Caller, dto: MarkAllReadDto): Promise<{ read: number }> {
    assertSelection(dto);
    // An inbox is in no container; single messages to one are marked by their id.
    if (me.containerId !== undefined) throw outsideRestriction();
    const { ids } = dto;
    if (ids !== undefined) {
      const own = await this.deliveries.lockInInbox(me.userId, ids);
      const faults = ids.flatMap((id, at) => (own.has(id) ? [] : [referenceNotFound(`ids.${at}`)]));
      if (faults.length > 0) throw invalidInput(faults);
    }
    let read = 0;
    for (let marked = MARKED_AT_ONCE; marked === MARKED_AT_ONCE; read += marked) {
      const messages = await this.deliveries.markUnreadAsRead(me.userId, ids, MARKED_AT_ONCE);
      await this.bulkWriter.recordAll(me, messageView, messages, 'message.read');
      marked = messages.length;
    }
    return { read };
  }

  /** Takes a message out of the caller's inbox; the other recipients keep it. */
  async remove(me: Caller, id: string): Promise<void> {
    const { place } = await this.access.authorize(me, 'messages_delete', id);
    if (!(await this.deliveries.remove(id, me.userId))) throw forbidden('to be a recipient of the message');
    await this.writer.recordChange(me, messageView, id, place, { type: 'message.removed' });
  }
}
