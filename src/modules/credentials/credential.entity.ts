import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

export const CREDENTIAL_KINDS = ['password'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** What a user signs in with. A user has at most one password, and none if the person signs in in another way. */
@Entity('credentials')
@Check('credentials_kind_check', `kind IN ('${CREDENTIAL_KINDS.join("', '")}')`)
@Index(['userId'])
@Index('credentials_password_idx', ['userId'], { unique: true, where: "kind = 'password'" })
export class Credential {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  kind: CredentialKind;

  /** The hash of the password. */
  @Column('text')
  secret: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
