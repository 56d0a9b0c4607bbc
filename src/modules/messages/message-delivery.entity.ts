import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** One recipient's copy of a message. */
@Entity('message_deliveries')
@Check('message_deliveries_mail_copy_check', "mail_copy IN ('copied', 'failed')")
@Index(['messageId', 'resourceId'], { unique: true })
@Index(['userId', 'messageId'])
@Index('message_deliveries_unread_idx', ['userId', 'messageId'], {
  where: 'read_at IS NULL AND removed_at IS NULL',
})
export class MessageDelivery {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('Message')
  messageId: string;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  /** The user whose inbox contains the message; null for a resource without a user. */
  @Column('text', { nullable: true })
  @ForeignKey('User')
  userId: string | null;

  @TimestampColumn({ nullable: true })
  readAt: Date | null;

  /** When the recipient removed it from their inbox. */
  @TimestampColumn({ nullable: true })
  removedAt: Date | null;

  /** The result of the copy by mail; null if no copy was requested. Set by a trigger of the outbox. */
  @Column('text', { nullable: true })
  mailCopy: 'copied' | 'failed' | null;
}
