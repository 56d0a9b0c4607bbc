import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A resource that an event concerns; ordered like the feed. */
@Entity('feed_audience')
@Index(['sequence'])
@Index('feed_audience_messages_idx', ['resourceId', 'sequence'], { where: 'is_message' })
export class FeedAudience {
  @PrimaryColumn('text')
  resourceId: string;

  @PrimaryColumn('bigint')
  @ForeignKey('FeedEntry', 'sequence', { onDelete: 'CASCADE' })
  sequence: string;

  /** Recipients of messages read events that are placed with the sender. */
  @Column('boolean')
  isMessage: boolean;
}
