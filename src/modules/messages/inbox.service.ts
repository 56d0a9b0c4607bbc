import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { forbidden, invalidInput, outsideRestriction, referenceNotFound } from '../../common/errors.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Representation } from '../../platform/database/views/view.js';
import { MessageDeliveriesRepository } from './message-deliveries.repository.js';
import type { MarkAllReadDto, MarkMessageDto } from './message.dto.js';
import { assertSelection } from './message.rules.js';
import { messageView } from './message.view.js';

/** The number of messages per statement, small enough to stay far below the statement timeout. */
const BATCH_SIZE = 1000;

/** Marks and removes the messages in the caller's inbox. */
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
    const hasChanged = await this.deliveries.mark(id, me.userId, read);
    if (hasChanged === undefined) throw forbidden('to be a recipient of the message');
    if (!hasChanged) return this.access.getOr404(me, messageView, id);
    return this.writer.recordChange(me, messageView, id, place, { type: read ? 'message.read' : 'message.unread' });
  }

  /** Marks the given messages, or all, as read; returns how many were unread. */
  async markRead(me: Caller, dto: MarkAllReadDto): Promise<{ read: number }> {
    assertSelection(dto);
    // The inbox is outside of every container; a restricted token can only mark single messages of its container.
    if (me.containerId !== undefined) throw outsideRestriction();
    const { ids } = dto;
    if (ids !== undefined) {
      const own = await this.deliveries.lockInInbox(me.userId, ids);
      const errors = ids.flatMap((id, index) => (own.has(id) ? [] : [referenceNotFound(`ids.${index}`)]));
      if (errors.length > 0) throw invalidInput(errors);
    }
    let read = 0;
    for (let marked = BATCH_SIZE; marked === BATCH_SIZE; read += marked) {
      const messages = await this.deliveries.markUnreadAsRead(me.userId, ids, BATCH_SIZE);
      await this.bulkWriter.recordAll(me, messageView, messages, 'message.read');
      marked = messages.length;
    }
    return { read };
  }

  /** Removes a message from the caller's inbox; the other recipients keep it. */
  async remove(me: Caller, id: string): Promise<void> {
    const { place } = await this.access.authorize(me, 'messages_delete', id);
    if (!(await this.deliveries.remove(id, me.userId))) throw forbidden('to be a recipient of the message');
    await this.writer.recordChange(me, messageView, id, place, { type: 'message.removed' });
  }
}
