import { Entity, PrimaryColumn } from 'typeorm';

/** A committed event without a sequence, because too many were committed at once; written by number_events(). */
@Entity('feed_backlog')
export class FeedBacklog {
  @PrimaryColumn('bigint')
  eventSequence: string;
}
