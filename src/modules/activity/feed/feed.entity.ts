import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** The entry of an event in the feed; written by number_events() after the event's transaction has committed. */
@Entity('feed')
@Index('feed_event_sequence_idx', ['eventSequence'], { unique: true })
@Index(['place', 'sequence'])
@Index(['entityId', 'sequence'])
@Index(['actorId', 'sequence'])
export class FeedEntry {
  /** The position in the feed; increases by one in the order in which events become visible. */
  @PrimaryColumn('bigint')
  sequence: string;

  @Column('bigint')
  @ForeignKey('EventRow', 'sequence', { onDelete: 'CASCADE' })
  eventSequence: string;

  /**
   * The current container of the entity, which decides who can read the event: the id of an endeavour, organization or
   * user, `everyone` or `administrators`; with the suffix `:admin` if only admins of the container can read it.
   */
  @Column('text')
  place: string;

  @Column('text')
  entityId: string;

  @Column('text')
  entityType: string;

  @Column('text')
  type: string;

  @Column('text', { nullable: true })
  actorId: string | null;

  @TimestampColumn()
  occurredAt: Date;
}
