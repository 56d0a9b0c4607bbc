import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * The voluntary departure of a person from an organization or endeavour, to which the person cannot be added again
 * without an invitation for 30 days.
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
