import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A resource that an event of the feed concerns. */
@Entity('feed_audience')
@Index(['sequence'])
@Index('feed_audience_messages_idx', ['resourceId', 'sequence'], { where: 'is_message' })
export class FeedAudience {
  @PrimaryColumn('text')
  resourceId: string;

  @PrimaryColumn('bigint')
  @ForeignKey('FeedEntry', 'sequence', { onDelete: 'CASCADE' })
  sequence: string;

  /** Whether the resource is a recipient of a message, who can read the event although its place is the sender. */
  @Column('boolean')
  isMessage: boolean;
}
