import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SESSION_METHODS, type SessionMethod } from '../common/proofs.js';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

/** A session; its id is the `jti` of the token. It is valid until `expiresAt`, unless `endedAt` is set. */
@Entity('sessions')
@Check('sessions_method_check', `method IN ('${SESSION_METHODS.join("', '")}')`)
@Index(['userId', 'createdAt'])
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

  /** When the person last proved to be there after signing in. */
  @TimestampColumn({ nullable: true })
  provedAt: Date | null;

  @Column('text', { nullable: true })
  clientAddress: string | null;

  @Column('text', { nullable: true })
  userAgent: string | null;
}
