import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ProviderSession } from '../../access/authentication/sessions.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A sign-in, with the right password or by an identity provider, that waits for the second factor. It ends when it is used or tried too often. */
@Entity('pending_sign_ins')
@Index(['userId'])
@Index(['expiresAt'])
export class PendingSignIn {
  /** The keyed hash of the token that the client sends with the code. */
  @PrimaryColumn('text')
  hash: string;

  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('boolean', { default: false })
  isByProvider: boolean;

  /** The session at the identity provider that began it. */
  @Column('jsonb', { nullable: true })
  provider: ProviderSession | null;

  @Column('integer', { default: 0 })
  attempts: number;

  @TimestampColumn()
  expiresAt: Date;
}
