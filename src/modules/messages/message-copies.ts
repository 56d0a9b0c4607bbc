import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MailContents } from '../../platform/mail/mail-contents.js';
import { MessageDeliveriesRepository } from './message-deliveries.repository.js';

/** Provides the contents of mails that copy a message. */
@Injectable()
export class MessageCopies implements OnModuleInit {
  constructor(
    private readonly contents: MailContents,
    private readonly deliveries: MessageDeliveriesRepository,
  ) {}

  onModuleInit(): void {
    this.contents.provide('message_copy', (data) => this.deliveries.mailOf(String(data.delivery_id)));
  }
}
