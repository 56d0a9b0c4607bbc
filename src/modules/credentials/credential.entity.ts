import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

export const CREDENTIAL_KINDS = ['password', 'totp', 'recovery_code'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/**
 * What a user signs in with: at most one password and one secret of an authenticator app, and recovery codes for the
 * latter. A user has no password if the person signs in in another way.
 */
@Entity('credentials')
@Check('credentials_kind_check', `kind IN ('${CREDENTIAL_KINDS.join("', '")}')`)
@Check('credentials_expires_at_check', "expires_at IS NULL OR kind = 'totp'")
@Check('credentials_last_step_check', "last_step IS NULL OR kind = 'totp'")
@Index(['userId'])
@Index('credentials_password_idx', ['userId'], { unique: true, where: "kind = 'password'" })
@Index('credentials_totp_idx', ['userId'], { unique: true, where: "kind = 'totp'" })
@Index(['userId', 'secret'], { unique: true, where: "kind = 'recovery_code'" })
export class Credential {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  kind: CredentialKind;

  /** The hash of the password or recovery code; the encrypted secret of the app. */
  @Column('text')
  secret: string;

  /** Until when the secret of an app can be enabled; null once it is. */
  @TimestampColumn({ nullable: true })
  expiresAt: Date | null;

  /** The step of the last code that was used. */
  @Column('integer', { nullable: true })
  lastStep: number | null;

  /** When it was set or enabled. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
