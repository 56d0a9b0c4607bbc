import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** One effective change of one entity, written in the transaction of the change and never changed (spec 09). */
@Entity('events')
@Index(['id'], { unique: true })
@Index(['entityId', 'sequence'])
@Index(['transaction'])
export class EventRow {
  /** The order of writing; the position in the feed is assigned after the commit. */
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  sequence: string;

  /** The id of the writing transaction, by which the feed finds newly committed events. */
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

  /** The acting person's resource; null if the service acted by itself. */
  @Column('text', { nullable: true })
  actorId: string | null;

  /** The access token that was used, if any. */
  @Column('text', { nullable: true })
  tokenId: string | null;

  @Column('text', { nullable: true })
  requestId: string | null;

  /** The rule that made the change, in the name of the acting person. */
  @Column('text', { nullable: true, default: () => 'acting_rule()' })
  ruleId: string | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  occurredAt: Date;

  @Column('text', { array: true, default: '{}' })
  changed: string[];

  @Column('json', { default: () => "'{}'" })
  previous: unknown;

  @Column('json')
  data: unknown;

  /** The affected resources, before and after: assignee, owner, creator, mentioned people. Teams are not expanded. */
  @Column('text', { array: true, default: '{}' })
  audience: string[];
}
