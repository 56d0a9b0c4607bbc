import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A period during which a resource was in a team; written by a trigger and never deleted. */
@Entity('team_memberships')
@Index(['teamId', 'resourceId'])
export class TeamMembership {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Resource', { onDelete: 'CASCADE' })
  teamId: string;

  @Column('text')
  @ForeignKey('Resource', { onDelete: 'CASCADE' })
  resourceId: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  joinedAt: Date;

  @TimestampColumn({ nullable: true })
  leftAt: Date | null;
}
