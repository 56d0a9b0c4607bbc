import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import type { TaskStatus } from './task.lifecycle.js';

/** A period during which a task had a status; written by a trigger and never deleted. */
@Entity('task_statuses')
@Index(['taskId', 'enteredAt'])
@Index('task_statuses_closed_again_idx', ['endeavourId', 'enteredAt'], { where: 'closed_again_at IS NOT NULL' })
@Index('task_statuses_flow_idx', { synchronize: false })
export class TaskStatusStay {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Task')
  taskId: string;

  /** The endeavour of the task; changes when the task moves. */
  @Column('text')
  endeavourId: string;

  /** Null for the first status of the task. */
  @Column('text', { nullable: true })
  previousStatus: TaskStatus | null;

  @Column('text')
  status: TaskStatus;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  enteredAt: Date;

  @TimestampColumn({ nullable: true })
  leftAt: Date | null;

  /** For `done`: when work on the task began. */
  @TimestampColumn({ nullable: true })
  startedAt: Date | null;

  /** For closed tasks: the hours of work since it was last closed. */
  @Column('double precision', { nullable: true })
  hours: number | null;

  /** For closed tasks: when the task was closed again after it had been reopened. */
  @TimestampColumn({ nullable: true })
  closedAgainAt: Date | null;

  /** Whether the task had the status before it was imported. */
  @Column('boolean', { default: false })
  imported: boolean;
}
