import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { MailContents, type MailValues } from '../../platform/mail/mail-contents.js';

/** Says what the copy of a message by mail contains. */
@Injectable()
export class MessageCopies implements OnModuleInit {
  constructor(
    private readonly contents: MailContents,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.contents.provide('message_copy', (data) => this.valuesOf(String(data.delivery_id)));
  }

  /** Undefined for a user who is suspended or has switched copies off meanwhile. */
  private valuesOf(deliveryId: string): Promise<MailValues | undefined> {
    return this.database.one<MailValues>(
      `SELECT u.name, coalesce(sender.name, 'Worksmith') AS sender, m.content,
         coalesce(nullif(m.subject, ''), left(regexp_replace(m.content, '\\s+', ' ', 'g'), 80)) AS subject
       FROM message_deliveries d JOIN messages m ON m.id = d.message_id
       JOIN users u ON u.id = d.user_id AND u.status = 'active' AND u.email_copy
       LEFT JOIN resources sender ON sender.id = m.sender_id
       WHERE d.id = $1`,
      [deliveryId],
    );
  }
}
