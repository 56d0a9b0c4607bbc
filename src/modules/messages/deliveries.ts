import { Injectable } from '@nestjs/common';
import { Outbox } from '../../platform/mail/outbox.js';
import { MessageDeliveriesRepository, type Audience, type Delivered } from './message-deliveries.repository.js';

/** Delivers messages to inboxes, and by mail to users who want copies. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly deliveries: MessageDeliveriesRepository,
    private readonly outbox: Outbox,
  ) {}

  async deliver(messageId: string, senderId: string | null, audience: Audience): Promise<Delivered> {
    const { copies, ...delivered } = await this.deliveries.deliver(messageId, senderId, audience);
    await this.outbox.sendAll(
      copies.map(({ id, email, lang }) => ({
        kind: 'message_copy',
        to: email,
        lang,
        data: { delivery_id: id },
        reference: id,
        sender: senderId,
      })),
    );
    return delivered;
  }
}
