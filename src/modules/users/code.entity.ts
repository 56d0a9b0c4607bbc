import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

export const CODE_PURPOSES = ['verification', 'reset', 'email_change'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** A code that was mailed, as a keyed hash. Over once it was used, replaced or tried too often. */
@Entity('codes')
@Check('codes_purpose_check', `purpose IN ('${CODE_PURPOSES.join("', '")}')`)
@Index(['purpose', 'scope'])
@Index(['expiresAt'])
export class Code {
  /** The mail that carries it: the same mail never gets two codes. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  purpose: CodePurpose;

  /** The identifier with which a code is entered: the address it was sent to, or the user id. */
  @Column('text')
  scope: string;

  /** What it is good for: a sign-up, a user, a new address. */
  @Column('text')
  subject: string;

  @Column('text')
  hash: string;

  @TimestampColumn()
  expiresAt: Date;

  @TimestampColumn({ nullable: true })
  endedAt: Date | null;

  @Column('integer', { default: 0 })
  attempts: number;

  /** Guesses per client network. */
  @Column('jsonb', { default: {} })
  attemptsFrom: Record<string, number>;

  /** The network (`networkOf`) that it was asked for from: the next one asked for from there replaces it. */
  @Column('text', { default: '' })
  askedFrom: string;

  /** Whether the account signed in from there before; codes requested by strangers do not replace such a code. */
  @Column('boolean', { default: false })
  isFromKnown: boolean;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
