import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { ContentChanges, UpdatedBy } from '../../platform/database/views/approvable.js';
import { VersionedRow } from '../../platform/database/views/rows.js';
import { ritualLifecycle, type RitualStatus } from './ritual.lifecycle.js';
import type { RitualTask } from './ritual-task.js';
import type { Schedule } from './schedules/schedule.js';

/** SQL: whether a ritual runs at scheduled times. All others, which can be many, have no next time. */
export const isScheduled = (prefix = ''): string =>
  `${prefix}is_enabled AND ${prefix}schedule->>'type' <> 'manual' AND ${prefix}endeavour_id IS NOT NULL`;

/** Recurring work: built in, of an endeavour or organization, or personal. */
@Entity('rituals')
@Index('rituals_words_idx', { synchronize: false })
@Index(['lineageId'])
@Index('rituals_name_trigram_idx', { synchronize: false })
@Index('rituals_description_trigram_idx', { synchronize: false })
@Check('rituals_status_check', ritualLifecycle.check())
@Check('rituals_origin_check', "origin IN ('template', 'custom', 'fork')")
@Check('rituals_created_by_check', "(origin = 'template') = (created_by IS NULL)")
@Check('rituals_version_check', 'version > 0')
@Check('rituals_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('rituals_prompt_check', 'char_length(prompt) <= 100000')
@Check('rituals_schedule_check', "schedule->>'type' IN ('manual', 'cron', 'interval', 'monthly')")
@Check('rituals_is_enabled_check', "NOT is_enabled OR status = 'active'")
@Check('rituals_organization_id_check', 'endeavour_id IS NULL OR organization_id IS NULL')
@Check('rituals_next_run_at_check', 'next_run_at IS NULL OR endeavour_id IS NOT NULL')
@Check('rituals_task_check', "jsonb_typeof(task) = 'object'")
@Check(
  'rituals_task_created_by_check',
  '(task IS NULL) = (task_created_by IS NULL) AND (task IS NULL) = (task_changed_by IS NULL)',
)
@Check('rituals_iteration_days_check', 'iteration_days BETWEEN 1 AND 366')
@Check('rituals_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['organizationId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
@Index(['predecessorId'])
@Index(['nextRunAt'], { where: isScheduled() })
@ForeignKey('Ritual', ['predecessorId'], ['id'])
@ForeignKey('Ritual', ['lineageId'], ['id'])
export class Ritual extends VersionedRow {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** The instructions for each run. */
  @Column('text', { nullable: true })
  prompt: string | null;

  @Column('jsonb', { default: { type: 'manual' } })
  schedule: Schedule;

  /** The task that each run makes. */
  @Column('jsonb', { nullable: true })
  task: RitualTask | null;

  /** Who described the task first, the creator of the tasks that are made. */
  @Column('text', { nullable: true })
  taskCreatedBy: string | null;

  /** Who changed the task last, the author of its content. */
  @Column('text', { nullable: true })
  taskChangedBy: string | null;

  /** The length of the iteration that each run plans, if none is planned. */
  @Column('integer', { nullable: true })
  iterationDays: number | null;

  @Column('boolean', { default: true })
  isEnabled: boolean;

  @Column('text', { default: 'en' })
  lang: string;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text', { default: 'active' })
  status: RitualStatus;

  /**
   * The next time of the schedule; null if there is none, or until it is recalculated after a change of the time zone.
   */
  @TimestampColumn({ nullable: true })
  nextRunAt: Date | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  createdBy: string | null;

  @UpdatedBy()
  updatedBy?: string | null;

  @ContentChanges()
  contentChanges?: object;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
