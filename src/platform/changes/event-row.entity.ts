import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Moment } from '../database/moment.js';

/** One effective change of one thing, written in the transaction of the change and never altered (spec 09). */
@Entity('events')
@Index(['entityId', 'sequence'])
@Index(['endeavourId', 'sequence'])
@Index(['organizationId', 'sequence'])
export class EventRow {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  sequence: string;

  /** Orders events by commit: a reader never hands out a cursor past a transaction that may still commit. */
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

  @Column('text', { nullable: true })
  actorName: string | null;

  @Column('text', { nullable: true })
  requestId: string | null;

  @Moment({ default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text', { array: true, default: '{}' })
  changed: string[];

  @Column('json', { default: () => "'{}'" })
  previous: unknown;

  @Column('json')
  data: unknown;
}
