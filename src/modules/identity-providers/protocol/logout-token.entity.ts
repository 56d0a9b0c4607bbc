import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A logout token of a provider that was accepted, so that it is not accepted again. */
@Entity('logout_tokens')
@Index(['expiresAt'])
export class LogoutToken {
  @PrimaryColumn('text')
  @ForeignKey('IdentityProvider')
  providerId: string;

  /** The name that the provider has given it. */
  @PrimaryColumn('text')
  jti: string;

  /** From then on, it is too old anyway. */
  @TimestampColumn()
  expiresAt: Date;
}
