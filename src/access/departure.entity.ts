import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../platform/database/moment.js';

/**
 * Records that a person left an organization or endeavour voluntarily; the person cannot be added again for a while.
 */
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
