import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * A copy of a message that its recipient gets by mail, together with those that arrive at about the same time. A trigger of
 * the outbox deletes it if its mail lapses. Housekeeping removes old ones.
 */
@Entity('message_copies')
@Check('message_copies_gathered_check', '(gathered_at IS NULL) = (mail IS NULL)')
@Index('message_copies_waiting_idx', ['userId'], { where: 'mail IS NULL' })
@Index(['userId', 'createdAt'])
@Index(['userId', 'gatheredAt'])
@Index(['mail'])
@Index(['createdAt'])
export class MessageCopy {
  @PrimaryColumn('text')
  @ForeignKey('MessageDelivery', { onDelete: 'CASCADE' })
  deliveryId: string;

  @Column('text')
  @ForeignKey('User')
  userId: string;

  /** Null for messages of the service. */
  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  senderId: string | null;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  /** When the copy was assigned to a mail. */
  @TimestampColumn({ nullable: true })
  gatheredAt: Date | null;

  /** The reference of the mail in the outbox. */
  @Column('text', { nullable: true })
  mail: string | null;
}
