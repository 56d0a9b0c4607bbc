import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A period during which a task was in a stage; written by a trigger and never deleted. */
@Entity('task_stages')
@Index(['taskId'])
@Index(['endeavourId', 'leftAt'])
export class TaskStageStay {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Task')
  taskId: string;

  /** The endeavour whose stage it is; the task can have moved to another one since. */
  @Column('text')
  endeavourId: string;

  @Column('text')
  stage: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  enteredAt: Date;

  @TimestampColumn({ nullable: true })
  leftAt: Date | null;
}
