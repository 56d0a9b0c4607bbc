import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { FieldError } from '../../../common/errors.js';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';
import { Row } from '../../../platform/database/views/rows.js';
import { RUN_TRIGGERS, runLifecycle, type RunStatus, type RunTrigger } from '../ritual.lifecycle.js';

/** One execution of a ritual; scheduled runs can be skipped. */
@Entity('ritual_runs')
@Check('ritual_runs_status_check', runLifecycle.check())
@Check('ritual_runs_trigger_check', `trigger IN ('${RUN_TRIGGERS.join("', '")}')`)
@Check('ritual_runs_finished_at_check', "(status = 'running') = (finished_at IS NULL)")
@Check('ritual_runs_scheduled_for_check', "(trigger = 'schedule') = (scheduled_for IS NOT NULL)")
@Check('ritual_runs_effects_check', "jsonb_typeof(effects) = 'object'")
@Check('ritual_runs_error_check', "jsonb_typeof(error) = 'object'")
@Check('ritual_runs_task_errors_check', "jsonb_typeof(task_errors) = 'array'")
@Check('ritual_runs_metadata_check', "jsonb_typeof(metadata) = 'object'")
// Each time of a schedule has one run, even if several replicas process it.
@Index(['ritualId', 'scheduledFor'], { unique: true })
@Index(['ritualId', 'createdAt', 'id'])
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
@Index(['startedAt'], { where: "status = 'running'" })
@Index(['taskId'], { unique: true, where: 'task_id IS NOT NULL' })
@Index('ritual_runs_unclaimed_idx', ['endeavourId'], { where: "status = 'running' AND run_by IS NULL" })
export class RitualRun extends Row {
  @Column('text')
  @ForeignKey('Ritual')
  ritualId: string;

  @Column('integer')
  ritualVersion: number;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  @Column('text', { default: 'running' })
  status: RunStatus;

  @Column('text')
  trigger: RunTrigger;

  /** The resource that started or claimed the run; null for a scheduled run that has not been claimed. */
  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  runBy: string | null;

  /** The time of the schedule for which the run was created. */
  @TimestampColumn({ nullable: true })
  scheduledFor: Date | null;

  @Column('text', { nullable: true })
  resultSummary: string | null;

  @Column('jsonb', { nullable: true })
  effects: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  error: Record<string, unknown> | null;

  /** The task that the run made, if its ritual carries one. */
  @Column('text', { nullable: true })
  @ForeignKey('Task')
  taskId: string | null;

  /** What of the ritual's task could not be used when it was made. */
  @Column('jsonb', { default: [] })
  taskErrors: FieldError[];

  @TimestampColumn({ nullable: true })
  startedAt: Date | null;

  @TimestampColumn({ nullable: true })
  finishedAt: Date | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;
}
