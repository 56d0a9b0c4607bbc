import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** When a membership in an organization or endeavour ended for any reason or lost rights; written by triggers. */
@Entity('former_members')
@Index(['userId'])
export class FormerMember {
  @PrimaryColumn('text')
  containerId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  /** The time at which the membership last ended, if it ever did. */
  @TimestampColumn({ nullable: true })
  leftAt: Date | null;

  /** The time at which its role was last lowered, if it ever was. */
  @TimestampColumn({ nullable: true })
  loweredAt: Date | null;
}
