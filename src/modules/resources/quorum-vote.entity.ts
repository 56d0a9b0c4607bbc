import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** A team member's consent to a move of the team's work. It lapses, by a trigger, when the status changes. */
@Entity('quorum_votes')
@Index(['entityId', 'resourceId'], { unique: true, where: 'lapsed_at IS NULL' })
@Index('quorum_votes_standing_idx', ['teamId'], { where: 'lapsed_at IS NULL' })
export class QuorumVote {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  /** The work that is to move. */
  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  @ForeignKey('Resource')
  teamId: string;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  /** The status that it is to move to. */
  @Column('text')
  target: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  castAt: Date;

  @TimestampColumn({ nullable: true })
  lapsedAt: Date | null;
}
