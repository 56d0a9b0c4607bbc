import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';
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

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  enteredAt: Date;

  @TimestampColumn({ nullable: true })
  leftAt: Date | null;

  /** It was so before the task was brought here. */
  @Column('boolean', { default: false })
  imported: boolean;
}
