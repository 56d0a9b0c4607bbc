import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { LockableRow } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import type { Scope } from './iteration-report.js';
import { iterationLifecycle, type IterationStatus } from './iteration.lifecycle.js';

/** A round of work of an endeavour, such as a sprint: some days, and the tasks and demands that are planned for them. */
@Entity('iterations')
@Check('iterations_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('iterations_status_check', iterationLifecycle.check())
@Check('iterations_start_day_check', "start_day BETWEEN '1970-01-01' AND '9999-12-31'")
@Check('iterations_end_day_check', "end_day BETWEEN start_day AND '9999-12-31'")
@Check('iterations_started_at_check', "(status = 'planned') = (started_at IS NULL)")
@Check('iterations_closed_at_check', "(status = 'closed') = (closed_at IS NOT NULL)")
@Check('iterations_deleted_at_check', "deleted_at IS NULL OR status = 'planned'")
@Index('iterations_active_iteration_idx', ['endeavourId'], { unique: true, where: "status = 'active'" })
@Index(['endeavourId', 'startDay', 'id'])
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
// Ensures that a task or demand and its iteration are in the same endeavour.
@Unique(['id', 'endeavourId'])
@Index(['id', 'holds'], { unique: true })
export class Iteration extends LockableRow {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  goal: string | null;

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Column('date')
  startDay: string;

  /** The last day. */
  @Column('date')
  endDay: string;

  @Column('text', { default: 'planned' })
  status: IterationStatus;

  @TimestampColumn({ nullable: true })
  startedAt: Date | null;

  @TimestampColumn({ nullable: true })
  closedAt: Date | null;

  /** The scope as it was when it was closed; null for imported ones. */
  @Column('jsonb', { nullable: true })
  report?: Scope | null;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
