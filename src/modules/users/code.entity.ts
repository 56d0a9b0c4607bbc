import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

export const CODE_PURPOSES = ['verification', 'reset', 'email_change', 'step_up'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** A mailed code, stored as a keyed hash. It ends when it is used, replaced or tried too often. */
@Entity('codes')
@Check('codes_purpose_check', `purpose IN ('${CODE_PURPOSES.join("', '")}')`)
@Index(['purpose', 'scope'])
@Index(['expiresAt'])
export class Code {
  /** The id of the mail with the code; a mail never has two codes. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  purpose: CodePurpose;

  /** The identifier that is sent together with the code: the address to which it was mailed, or the user id. */
  @Column('text')
  scope: string;

  /** What the code confirms: a sign-up, a user, or a new address. */
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

  /** The number of attempts per client network. */
  @Column('jsonb', { default: {} })
  attemptsFrom: Record<string, number>;

  /** The network (`networkOf`) of the request; the next code requested from there replaces this one. */
  @Column('text', { default: '' })
  askedFrom: string;

  /**
   * Whether the user has signed in from that network before; codes requested from other networks do not replace this
   * one.
   */
  @Column('boolean', { default: false })
  isFromKnown: boolean;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
