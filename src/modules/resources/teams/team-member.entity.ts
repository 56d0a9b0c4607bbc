import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A member of a team; members count as owners and assignees of the team's work. */
@Entity('team_members')
@Index(['resourceId'])
@Index(['hasMemberId'], { unique: true })
@Index(['memberOfId'], { unique: true })
export class TeamMember {
  @PrimaryColumn('text')
  @ForeignKey('Resource')
  teamId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;

  @Column('text', { nullable: true })
  role: string | null;

  @TimestampColumn({ default: () => 'now()' })
  joinedAt: Date;

  /** The id of the membership as the relation `has_member`. */
  @Column('text', { default: () => "new_id('rel')" })
  hasMemberId: string;

  /** The id of the membership as the relation `member_of`. */
  @Column('text', { default: () => "new_id('rel')" })
  memberOfId: string;
}
