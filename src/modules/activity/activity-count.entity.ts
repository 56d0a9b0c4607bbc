import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of events of a type in a place on a day (UTC). */
@Entity('activity_counts')
export class ActivityCount {
  /** The place as in `FeedEntry`, but of the container that the entity was in at that time. */
  @PrimaryColumn('text')
  place: string;

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('text')
  type: string;

  @Column('bigint')
  count: string;
}
