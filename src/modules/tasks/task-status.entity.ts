import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';
import type { TaskStatus } from './task.lifecycle.js';

/** One stay of a task in a status; written by a trigger, kept for good. Time in status is counted from these rows. */
@Entity('task_statuses')
@Index(['taskId', 'enteredAt'])
@Index('task_statuses_flow_idx', { synchronize: false })
export class TaskStatusStay {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Task')
  taskId: string;

  /** The endeavour of the task; a task that moves takes its history along. */
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

  /** Of a task that became done: when work on it began. */
  @TimestampColumn({ nullable: true })
  startedAt: Date | null;

  /** Of a task that was closed: the hours that it took since it was last closed. */
  @Column('double precision', { nullable: true })
  hours: number | null;

  /** It was so before the task was brought here. */
  @Column('boolean', { default: false })
  imported: boolean;
}
