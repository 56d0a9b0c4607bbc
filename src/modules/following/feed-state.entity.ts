import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the feed is numbered; one row. */
@Entity('feed_state')
@Check('feed_state_id_check', 'id')
export class FeedState {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  /** The last sequence that was given. */
  @Column('bigint', { default: 0 })
  head: string;

  /** The last sequence that has been removed. */
  @Column('bigint', { default: 0 })
  dropped: string;

  /** The pg_snapshot of the last run: all events that it sees have their sequence. */
  @Column('text')
  seen: string;
}
