import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A sign-in or a proof that was begun at a provider; it is deleted when it is finished. */
@Entity('oidc_flows')
@Index(['providerId'])
@Index(['expiresAt'])
export class OidcFlow {
  /** The keyed hash of the token that the client finishes it with; state, nonce and verifier are derived from the token. */
  @PrimaryColumn('text')
  hash: string;

  @Column('text')
  @ForeignKey('IdentityProvider')
  providerId: string;

  @Column('text')
  redirectUri: string;

  /** The session whose person is asked to prove to be there; null for sign-ins. The session may have been removed since. */
  @Column('text', { nullable: true })
  sessionId: string | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  startedAt: Date;

  @TimestampColumn()
  expiresAt: Date;
}
