import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { UpdatedBy } from '../../platform/database/views/approvable.js';
import { Row } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** The time that a resource spent on a task on a day. A trigger adds it to the task. */
@Entity('time_entries')
@Check('time_entries_minutes_check', 'minutes >= 1 AND minutes <= CASE WHEN is_initial THEN 100000000 ELSE 1440 END')
@Check('time_entries_day_check', "day BETWEEN '1970-01-01' AND '9999-12-31'")
@Check('time_entries_note_check', 'char_length(note) <= 50000')
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['endeavourId', 'day'])
@Index(['taskId', 'createdAt', 'id'])
@Index(['resourceId', 'day'])
@Index(['createdAt', 'id'])
// A time entry is in the container of its task and moves with it.
@ForeignKey('Task', ['taskId', 'endeavourId'], ['id', 'endeavourId'], { onUpdate: 'CASCADE' })
export class TimeEntry extends Row {
  @Column('text')
  taskId: string;

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  @Column('integer')
  minutes: number;

  @Column('date')
  day: string;

  @Column('text', { nullable: true })
  note: string | null;

  /** Whether it holds the hours that the task had before its first entry; only such ones can exceed a day. */
  @Column('boolean', { default: false })
  isInitial: boolean;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;

  @UpdatedBy()
  updatedBy?: string | null;
}
