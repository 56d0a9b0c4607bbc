import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

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

  @TimestampColumn({ default: () => 'now()' })
  leftAt: Date;
}
