import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * A period in which an agent had a manager that it has no longer; written by a trigger and never deleted, because the
 * manager still answers for what the agent did then (see the function `people_behind`).
 */
@Entity('former_managers')
@Index(['agentId'])
export class FormerManager {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('User')
  agentId: string;

  @Column('text')
  @ForeignKey('User')
  managerId: string;

  /** Null for its first manager. */
  @TimestampColumn({ nullable: true })
  beganAt: Date | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  endedAt: Date;
}
