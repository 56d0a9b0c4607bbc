import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A period during which a task was assigned to a resource; written by a trigger and never deleted. */
@Entity('task_assignments')
@Index(['taskId', 'assignedAt'])
@Index(['taskId'], { unique: true, where: 'ended_at IS NULL' })
export class TaskAssignment {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Task', { onDelete: 'CASCADE' })
  taskId: string;

  @Column('text')
  @ForeignKey('Resource')
  assigneeId: string;

  /** Null if the service assigned it. */
  @Column('text', { nullable: true })
  assignedBy: string | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  assignedAt: Date;

  @Column('text', { nullable: true })
  endedBy: string | null;

  @TimestampColumn({ nullable: true })
  endedAt: Date | null;

  /** The resources that changed the task during the period, and the people for whom agents did it then. */
  @Column('text', { array: true, default: '{}' })
  writers: string[];
}
