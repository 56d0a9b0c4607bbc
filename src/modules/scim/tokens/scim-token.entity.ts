import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../../platform/database/views/rows.js';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A token with which the directory of an organization keeps the accounts of its people. */
@Entity('scim_tokens')
@Check('scim_tokens_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('scim_tokens_hash_check', 'hash IS NULL OR ended_at IS NULL')
@Index(['organizationId'])
@Index(['madeBy'])
@Index(['hash'], { unique: true })
export class ScimToken extends Row {
  @Column('text')
  @ForeignKey('Organization')
  organizationId: string;

  /** The person who created it; the token stays valid if that person leaves. */
  @Column('text', { nullable: true })
  @ForeignKey('User')
  madeBy: string | null;

  @Column('text')
  name: string;

  /** The keyed hash of the secret, by which the token is looked up; null as soon as the token ends. */
  @Column('text', { nullable: true })
  hash: string | null;

  @TimestampColumn()
  expiresAt: Date;

  /** When it was last used, to five minutes. */
  @TimestampColumn({ nullable: true })
  lastUsedAt?: Date | null;

  /** When the owners were told that it expires. */
  @TimestampColumn({ nullable: true })
  warnedAt?: Date | null;

  @TimestampColumn({ nullable: true })
  endedAt: Date | null;
}
