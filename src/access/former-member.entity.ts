import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

/** A membership in an organization or endeavour that has ended for any reason; written by triggers. */
@Entity('former_members')
@Index(['userId'])
export class FormerMember {
  @PrimaryColumn('text')
  containerId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  /** The time at which the membership last ended. */
  @TimestampColumn()
  leftAt: Date;
}
