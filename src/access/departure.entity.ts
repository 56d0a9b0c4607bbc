import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../platform/database/moment.js';

/** That somebody left an organization or endeavour by their own decision; they are not added again for a while. */
@Entity('departures')
@Index(['userId'])
export class Departure {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  containerId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  @Moment({ default: () => 'now()' })
  leftAt: Date;
}
