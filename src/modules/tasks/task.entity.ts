import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import type { ExternalRef } from '../../common/external-ref.js';
import { LONG_RANK } from '../../common/ranks.js';
import {
  ExternalRefCheck,
  ExternalRefColumn,
  ExternalRefIndex,
} from '../../platform/database/columns/external-ref-column.js';
import { DayCheck, DayColumn, StartDateCheck } from '../../platform/database/columns/day-column.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { ContentChanges, UpdatedBy } from '../../platform/database/views/approvable.js';
import { Row } from '../../platform/database/views/rows.js';
import { PRIORITIES, type Priority } from '../demands/demand.lifecycle.js';
import type { Attestation } from './completion/attestation.rules.js';
import { taskLifecycle, type TaskStatus } from './task.lifecycle.js';

/**
 * How a task was completed. `imported` tasks were already done in the system that they come from; the approved content of
 * `changed` ones has changed since they met their policy.
 */
export const DOD_OUTCOMES = ['met', 'overridden', 'no_policy', 'imported', 'changed'] as const;
export type DodOutcome = (typeof DOD_OUTCOMES)[number];

/** An atomic unit of work in an endeavour. */
@Entity('tasks')
@ExternalRefIndex('tasks')
@ExternalRefCheck('tasks')
@DayCheck('tasks', 'due_day', 'due_date')
@StartDateCheck('tasks')
@Index(['dodCheckId'], { where: 'dod_check_id IS NOT NULL' })
@Index('tasks_words_idx', { synchronize: false })
@Index('tasks_title_trigram_idx', { synchronize: false })
@Check('tasks_status_check', taskLifecycle.check())
@Check('tasks_title_check', 'char_length(title) BETWEEN 1 AND 500')
@Check('tasks_estimate_check', 'estimate BETWEEN 0 AND 1000000000')
@Check('tasks_actual_check', 'actual BETWEEN 0 AND 1000000000')
@Check(
  'tasks_logged_minutes_check',
  'logged_minutes IS NULL OR (logged_minutes > 0 AND actual = round(logged_minutes / 60.0, 4)::double precision)',
)
@Check('tasks_points_check', 'points BETWEEN 0 AND 1000000000')
@Check('tasks_priority_check', `priority IN ('${PRIORITIES.join("', '")}')`)
@Check('tasks_effective_priority_check', `effective_priority IN ('${PRIORITIES.join("', '")}')`)
@Check('tasks_labels_check', 'cardinality(labels) BETWEEN 1 AND 50')
@Check('tasks_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Check('tasks_blocked_by_count_check', 'blocked_by_count >= 0')
@Check('tasks_completed_at_check', "(status = 'done') = (completed_at IS NOT NULL)")
@Check('tasks_dod_check_id_check', "dod_check_id IS NULL OR status = 'done'")
@Check(
  'tasks_dod_result_check',
  `dod_result IS NULL OR (status = 'done' AND dod_result IN ('${DOD_OUTCOMES.join("', '")}'))`,
)
@Check('tasks_dod_changed_at_check', "(dod_result IS NOT DISTINCT FROM 'changed') = (dod_changed_at IS NOT NULL)")
@Check('tasks_canceled_reason_check', "(status = 'canceled') = (canceled_reason IS NOT NULL)")
@Index(['endeavourId', 'status', 'createdAt', 'id'])
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['assigneeId', 'status', 'createdAt', 'id'])
@Index(['demandId', 'status'])
@Index('tasks_blocked_idx', ['endeavourId', 'createdAt', 'id'], { where: 'blocked_by_count > 0' })
@Index('tasks_changed_idx', ['endeavourId', 'createdAt', 'id'], { where: "dod_result = 'changed'" })
@Index('tasks_ready_idx', ['endeavourId', 'createdAt', 'id'], {
  where: "status = 'planned' AND blocked_by_count = 0",
})
@Index('tasks_due_idx', ['dueDate', 'id'], { where: "due_date IS NOT NULL AND status IN ('planned', 'active')" })
@Index('tasks_long_rank_idx', ['endeavourId'], { where: `char_length(rank) > ${LONG_RANK}` })
@Index(['iterationId'], { where: 'iteration_id IS NOT NULL' })
@Index(['goalId'], { where: 'goal_id IS NOT NULL' })
@Index(['stage'], { where: 'stage IS NOT NULL' })
@Index(['ownerId'])
@Index(['creatorId'])
@Index(['createdAt', 'id'])
// Deferred only while a demand moves with its tasks.
@ForeignKey('Demand', ['demandId', 'endeavourId'], ['id', 'endeavourId'], { deferrable: 'INITIALLY IMMEDIATE' })
@ForeignKey('Iteration', ['iterationId', 'endeavourId'], ['id', 'endeavourId'])
// Referenced by artifacts, so that an artifact and its task are in the same endeavour.
@Unique(['id', 'endeavourId'])
export class Task extends Row {
  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { default: 'planned' })
  status: TaskStatus;

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Column('text', { nullable: true })
  demandId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  assigneeId: string | null;

  @Column('text')
  @ForeignKey('Resource')
  ownerId: string;

  @Column('text')
  @ForeignKey('Resource')
  creatorId: string;

  /** Hours. */
  @Column('double precision', { nullable: true })
  estimate: number | null;

  /** Hours. */
  @Column('double precision', { nullable: true })
  actual: number | null;

  /** The sum of its time entries, of which `actual` is the hours; null without entries. Set by a trigger. */
  @Column('integer', { nullable: true })
  loggedMinutes?: number | null;

  @Column('double precision', { nullable: true })
  points?: number | null;

  @Column('text', { nullable: true })
  priority?: Priority | null;

  /** Its own priority, else that of its demand, else medium; maintained by triggers. */
  @Column('text', { default: 'medium' })
  effectivePriority?: Priority;

  @TimestampColumn({ nullable: true })
  dueDate: Date | null;

  /** The day that the task is due on; null for an instant. */
  @DayColumn()
  dueDay: string | null;

  @TimestampColumn({ nullable: true })
  startedAt: Date | null;

  @TimestampColumn({ nullable: true })
  completedAt: Date | null;

  @TimestampColumn({ nullable: true })
  canceledAt: Date | null;

  @Column('text', { nullable: true })
  canceledReason: string | null;

  /** Set if an endeavour admin allowed the task to be completed without meeting its Definition of Done (spec 08). */
  @TimestampColumn({ nullable: true })
  dodOverriddenAt: Date | null;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  dodOverriddenBy: string | null;

  @Column('text', { nullable: true })
  dodOverrideReason: string | null;

  /** The policy that was in force when the override was made, and under which alone it counts; set by a trigger. */
  @Column('text', { nullable: true })
  dodOverridePolicyId: string | null;

  @TimestampColumn({ nullable: true })
  attestedAt: Date | null;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  attestedBy: string | null;

  /** The conditions that were attested; a trigger clears them together with the time. */
  @Column('jsonb', { nullable: true })
  attestations: Attestation[] | null;

  /** The check with which it was completed. */
  @Column('text', { nullable: true })
  @ForeignKey('DodCheck')
  dodCheckId: string | null;

  /** How it met the policy of its endeavour. */
  @Column('text', { nullable: true })
  dodResult: DodOutcome | null;

  /** When its approved content was changed, and by whom, if the result is `changed`; maintained by a trigger. */
  @TimestampColumn({ nullable: true })
  dodChangedAt: Date | null;

  @Column('text', { nullable: true })
  dodChangedBy: string | null;

  /** When its current round began (spec 08, Rounds); null in the first one. Maintained by a trigger. */
  @TimestampColumn({ nullable: true })
  roundStartedAt: Date | null;

  /** Who imported it; no foreign key, because only checks read it. */
  @Column('text', { nullable: true })
  importedBy: string | null;

  /** The number of open tasks in its endeavour that block it; maintained by triggers. */
  @Column('integer', { default: 0 })
  blockedByCount: number;

  /** Counted together for the tasks and demands of its endeavour; null before existing rows are numbered. Set by a trigger. */
  @Column('integer', { nullable: true })
  number?: number | null;

  /** Its numbers in the endeavours where it was before, by their ids; null if there are none. Set by a trigger. */
  @Column('jsonb', { nullable: true })
  formerNumbers?: Record<string, number> | null;

  /** Whether a text has ever named it by its key. Set by a trigger. */
  @Column('boolean', { default: false, select: false })
  hasReferences?: boolean;

  /** Its place in the order of its endeavour, compared by bytes; null if it was never moved (`effectiveRank`). */
  @Column('text', { nullable: true })
  rank?: string | null;

  /** The ids of its labels; null if it has none. */
  @Column('text', { array: true, nullable: true })
  labels?: string[] | null;
  /** An iteration of its endeavour. */
  @Column('text', { nullable: true })
  iterationId?: string | null;

  /** A goal of its endeavour, kept by triggers. */
  @Column('text', { nullable: true })
  goalId?: string | null;

  /** The day on which work on it is to begin. */
  @DayColumn()
  startDate?: string | null;

  /**
   * A stage of its endeavour and status; null for the first one, if there are any. A canceled task keeps the one that it was
   * in. Kept by a trigger.
   */
  @Column('text', { nullable: true })
  stage?: string | null;

  @ExternalRefColumn()
  externalRef?: ExternalRef | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @UpdatedBy()
  updatedBy?: string | null;

  @ContentChanges()
  contentChanges?: object;

  /** The full-text search index of title and description; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
