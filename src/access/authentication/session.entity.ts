import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SESSION_METHODS, type SessionMethod } from '../../common/proofs.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A session; its id is the `jti` of the token. It is valid until `expiresAt`, unless `endedAt` is set. */
@Entity('sessions')
@Check('sessions_method_check', `method IN ('${SESSION_METHODS.join("', '")}')`)
@Index(['userId', 'createdAt'])
@Index(['providerId', 'providerSubject'], { where: 'provider_id IS NOT NULL' })
export class Session {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('User')
  userId: string;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  @TimestampColumn()
  expiresAt: Date;

  @TimestampColumn({ nullable: true })
  endedAt: Date | null;

  /** How the person signed in. */
  @Column('text', { default: 'password' })
  method: SessionMethod;

  /** Whether a provider of the service, or a code after any provider, proved a second factor; other methods say it themselves. */
  @Column('boolean', { default: false })
  hasSecondFactor: boolean;

  /** The organization whose provider proved a second factor, which counts only towards that organization. */
  @Column('text', { nullable: true })
  provedTo: string | null;

  /** The identity provider at which the person signed in, what it calls the person and the session there, and where that ends. */
  @Column('text', { nullable: true })
  @ForeignKey('IdentityProvider')
  providerId: string | null;

  @Column('text', { nullable: true })
  providerSubject: string | null;

  @Column('text', { nullable: true })
  providerSid: string | null;

  @Column('text', { nullable: true })
  endSessionUrl: string | null;

  /** When the person last proved to be there after signing in. */
  @TimestampColumn({ nullable: true })
  provedAt: Date | null;

  @Column('text', { nullable: true })
  clientAddress: string | null;

  @Column('text', { nullable: true })
  userAgent: string | null;
}
