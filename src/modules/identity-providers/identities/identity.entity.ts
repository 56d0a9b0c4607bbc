import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../../platform/database/views/rows.js';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** The longest subject that OpenID Connect allows. */
export const MAX_SUBJECT = 255;

/** What a provider calls a user: who signs in there with this subject is that user. */
@Entity('identities')
@Check('identities_subject_check', `char_length(subject) <= ${MAX_SUBJECT}`)
@Index(['userId', 'createdAt'])
@Index(['providerId', 'subject'], { unique: true, where: 'ended_at IS NULL' })
export class Identity extends Row {
  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  @ForeignKey('IdentityProvider')
  providerId: string;

  @Column('text')
  subject: string;

  /** The address that the provider named when the identity was linked. */
  @Column('text', { nullable: true })
  email: string | null;

  /** Whether the person has linked it, and not an address that the provider named. */
  @Column('boolean', { default: true })
  linkedByUser: boolean;

  @TimestampColumn({ nullable: true })
  lastUsedAt: Date | null;

  /** When it was removed. */
  @TimestampColumn({ nullable: true })
  endedAt: Date | null;
}
