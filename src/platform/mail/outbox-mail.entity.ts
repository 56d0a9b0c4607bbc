import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';
import { MAIL_KINDS, MAIL_STATUSES, type MailKind, type MailStatus } from './mail-kinds.js';

/** A mail to be sent, written in the transaction of its cause. Housekeeping removes it when it is finished and old. */
@Entity('outbox')
@Check('outbox_kind_check', `kind IN ('${MAIL_KINDS.join("', '")}')`)
@Check('outbox_status_check', `status IN ('${MAIL_STATUSES.join("', '")}')`)
@Index(['dueAt'], { where: "status = 'pending'" })
@Index('outbox_turn_idx', ['turn', 'dueAt'], { where: "status = 'pending'" })
@Index('outbox_sender_idx', ['sender', 'createdAt'], { where: 'sender IS NOT NULL' })
@Index(['createdAt'])
@Index(['reference'])
export class OutboxMail {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  kind: MailKind;

  @Column('text')
  recipient: string;

  @Column('text')
  lang: string;

  /** The input of the feature for the content of the mail; never a secret. */
  @Column('jsonb')
  data: Record<string, unknown>;

  /** A key by which the feature finds the mail. */
  @Column('text', { nullable: true })
  reference: string | null;

  /** The resource of the person who caused the mail; null for mails about an account, and of the service. */
  @Column('text', { nullable: true })
  sender: string | null;

  /** Mails with a lower turn are sent first: 0 for codes, then the position among the waiting mails of the sender. */
  @Column('integer', { default: 0 })
  turn: number;

  @Column('text', { default: 'pending' })
  status: MailStatus;

  @Column('integer', { default: 0 })
  attempts: number;

  @TimestampColumn()
  dueAt: Date;

  /** When the claim of a worker expires, by the database's clock, which all replicas share. */
  @TimestampColumn({ nullable: true })
  lockedUntil: Date | null;

  @Column('text', { nullable: true })
  lastError: string | null;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  @TimestampColumn({ nullable: true })
  finishedAt: Date | null;
}
