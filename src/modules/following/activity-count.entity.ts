import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many events of a type there were at a place on a day (UTC). */
@Entity('activity_counts')
export class ActivityCount {
  /** As in the feed, but with the container of the entity at that time. */
  @PrimaryColumn('text')
  place: string;

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('text')
  type: string;

  @Column('bigint')
  count: string;
}
