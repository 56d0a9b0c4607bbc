import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The single row with the state of the feed. */
@Entity('feed_state')
@Check('feed_state_id_check', 'id')
export class FeedState {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  /** The last assigned sequence. */
  @Column('bigint', { default: 0 })
  head: string;

  /** The last deleted sequence. */
  @Column('bigint', { default: 0 })
  dropped: string;

  /** The pg_snapshot of the last run: all events that are visible in it have a sequence. */
  @Column('text')
  seen: string;
}
