import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of events of a type at a place on a day (UTC). */
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
