import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

/** A session; its id is the `jti` of the token. It is valid until `expiresAt`, unless `endedAt` is set. */
@Entity('sessions')
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

  @Column('text', { nullable: true })
  clientAddress: string | null;

  @Column('text', { nullable: true })
  userAgent: string | null;
}
