import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../database/timestamp-column.js';

/** One effective change of one entity, written in the transaction of the change and never changed (spec 09). */
@Entity('events')
@Index(['id'], { unique: true })
@Index(['entityId', 'sequence'])
@Index(['transaction'])
export class EventRow {
  /** The order in which events are written; their place in the feed is given when they are committed. */
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  sequence: string;

  /** The transaction that wrote it, by which the feed finds what was committed since it last looked. */
  @Column('bigint', { default: () => 'this_transaction()' })
  transaction: string;

  @Column('text')
  id: string;

  @Column('text')
  type: string;

  @Column('text')
  entityType: string;

  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text', { nullable: true })
  endeavourId: string | null;

  @Column('text', { nullable: true })
  organizationId: string | null;

  /** The acting person's resource; null where the service acted by itself. */
  @Column('text', { nullable: true })
  actorId: string | null;

  /** The access token with which it was done, if any. */
  @Column('text', { nullable: true })
  tokenId: string | null;

  @Column('text', { nullable: true })
  requestId: string | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text', { array: true, default: '{}' })
  changed: string[];

  @Column('json', { default: () => "'{}'" })
  previous: unknown;

  @Column('json')
  data: unknown;

  /** The resources that it concerns, before and after: assignee, owner, creator, people mentioned. Teams as teams. */
  @Column('text', { array: true, default: '{}' })
  audience: string[];
}
