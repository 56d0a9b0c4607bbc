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
import { LockableRow } from '../../platform/database/views/rows.js';
import { demandLifecycle, PRIORITIES, type DemandStatus, type Priority } from './demand.lifecycle.js';

/** A request for work, such as a story, a bug or a spike. Tasks fulfil it. */
@Entity('demands')
@ExternalRefIndex('demands')
@ExternalRefCheck('demands')
@DayCheck('demands', 'due_day', 'due_date')
@StartDateCheck('demands')
@Index('demands_words_idx', { synchronize: false })
@Index('demands_title_trigram_idx', { synchronize: false })
@Check('demands_status_check', demandLifecycle.check())
@Check('demands_priority_check', `priority IN ('${PRIORITIES.join("', '")}')`)
@Check('demands_type_check', "type ~ '^[a-z][a-z0-9_-]{0,99}$'")
@Check('demands_title_check', 'char_length(title) BETWEEN 1 AND 500')
@Check('demands_fulfilled_at_check', "(status = 'fulfilled') = (fulfilled_at IS NOT NULL)")
@Check('demands_labels_check', 'cardinality(labels) BETWEEN 1 AND 50')
@Check('demands_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Check('demands_canceled_reason_check', "(status = 'canceled') = (canceled_reason IS NOT NULL)")
@Index(['endeavourId', 'status', 'createdAt', 'id'])
@Index(['endeavourId', 'createdAt', 'id'])
@Index('demands_long_rank_idx', ['endeavourId'], { where: `char_length(rank) > ${LONG_RANK}` })
@Index(['iterationId'], { where: 'iteration_id IS NOT NULL' })
@Index(['goalId'], { where: 'goal_id IS NOT NULL' })
@Index(['ownerId'])
@Index(['creatorId'])
@Index(['createdAt', 'id'])
@ForeignKey('Iteration', ['iterationId', 'endeavourId'], ['id', 'endeavourId'])
// Ensures that a task and its demand are in the same endeavour.
@Unique(['id', 'endeavourId'])
@Index(['id', 'holds'], { unique: true })
export class Demand extends LockableRow {
  @Column('text')
  type: string;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { default: 'open' })
  status: DemandStatus;

  @Column('text', { default: 'medium' })
  priority: Priority;

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Column('text')
  @ForeignKey('Resource')
  creatorId: string;

  @Column('text')
  @ForeignKey('Resource')
  ownerId: string;

  @TimestampColumn({ nullable: true })
  dueDate: Date | null;

  /** The day that the demand is due on; null for an instant. */
  @DayColumn()
  dueDay: string | null;

  @TimestampColumn({ nullable: true })
  fulfilledAt: Date | null;

  @TimestampColumn({ nullable: true })
  canceledAt: Date | null;

  @Column('text', { nullable: true })
  canceledReason: string | null;

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

  @ExternalRefColumn()
  externalRef?: ExternalRef | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;

  @UpdatedBy()
  updatedBy?: string | null;

  @ContentChanges()
  contentChanges?: object;
}
