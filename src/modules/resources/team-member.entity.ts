import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** A resource that counts as owner and assignee of its team's work. */
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

  /** Its id as the relation `has_member`; so with the next. */
  @Column('text', { default: () => "new_id('rel')" })
  hasMemberId: string;

  @Column('text', { default: () => "new_id('rel')" })
  memberOfId: string;
}
