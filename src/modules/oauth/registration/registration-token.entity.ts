import { Check, Column, Entity, Index } from 'typeorm';
import { Row } from '../../../platform/database/views/rows.js';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A token with which programs of others register themselves (initial access token, RFC 7591). */
@Entity('oauth_registration_tokens')
@Check('oauth_registration_tokens_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('oauth_registration_tokens_hash_check', 'hash IS NULL OR ended_at IS NULL')
@Index(['hash'], { unique: true })
export class RegistrationToken extends Row {
  @Column('text')
  name: string;

  /** The keyed hash of the secret; null as soon as the token ends. */
  @Column('text', { nullable: true })
  hash: string | null;

  @TimestampColumn()
  expiresAt: Date;

  @TimestampColumn({ nullable: true })
  lastUsedAt: Date | null;

  @TimestampColumn({ nullable: true })
  endedAt: Date | null;
}
