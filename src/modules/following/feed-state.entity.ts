import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The progress of the assignment of sequences; a single row. */
@Entity('feed_state')
@Check('feed_state_id_check', 'id')
export class FeedState {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  /** The last assigned sequence. */
  @Column('bigint', { default: 0 })
  head: string;

  /** The last removed sequence. */
  @Column('bigint', { default: 0 })
  dropped: string;

  /** The pg_snapshot of the last run: all events that it sees have their sequence. */
  @Column('text')
  seen: string;
}
