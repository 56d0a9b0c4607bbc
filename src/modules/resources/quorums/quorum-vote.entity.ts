import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A team member's vote for a change of the team's work; a trigger lets it lapse when the status changes. */
@Entity('quorum_votes')
@Index(['entityId', 'resourceId'], { unique: true, where: 'lapsed_at IS NULL' })
@Index('quorum_votes_standing_idx', ['teamId'], { where: 'lapsed_at IS NULL' })
export class QuorumVote {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  /** The task or demand that is voted on. */
  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  @ForeignKey('Resource')
  teamId: string;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  /** The change that is voted on: a status, or `owner` and the id of the new owner. */
  @Column('text')
  target: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  castAt: Date;

  @TimestampColumn({ nullable: true })
  lapsedAt: Date | null;
}
