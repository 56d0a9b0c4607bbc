import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A key pair on a device of the user (WebAuthn), which proves both possession and presence. The service has its public half. */
@Entity('passkeys')
@Check('passkeys_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('passkeys_counter_check', 'counter >= 0')
@Index(['userId', 'createdAt'])
@Index(['credentialId'], { unique: true, where: 'ended_at IS NULL' })
export class Passkey extends Row {
  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  name: string;

  /** The id that the authenticator has given it, in base 64. */
  @Column('text')
  credentialId: string;

  /** In the format of COSE, in base 64. */
  @Column('text')
  publicKey: string;

  /** What the authenticator calls the user: random, and the same for all passkeys of the user. */
  @Column('text')
  userHandle: string;

  /** The number of uses that the authenticator has counted; always 0 if it does not count. */
  @Column('bigint', { default: 0 })
  counter: string;

  @Column('text', { array: true, default: '{}' })
  transports: string[];

  @TimestampColumn({ nullable: true })
  lastUsedAt: Date | null;

  /** When it was removed; what it signed before can still be verified. */
  @TimestampColumn({ nullable: true })
  endedAt: Date | null;
}
