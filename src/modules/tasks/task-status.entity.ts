import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Moment } from '../../platform/database/moment.js';
import type { TaskStatus } from './task.lifecycle.js';

/** One stay of a task in a status; written by a trigger, kept for good. Time in status is counted from these rows. */
@Entity('task_statuses')
@Index(['taskId', 'enteredAt'])
export class TaskStatusStay {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Task')
  taskId: string;

  @Column('text')
  status: TaskStatus;

  @Moment({ default: () => 'clock_timestamp()' })
  enteredAt: Date;

  @Moment({ nullable: true })
  leftAt: Date | null;
}
