import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { DeclaredField } from '../../common/declared-field.js';
import type { ExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefCheck,
  ExternalRefColumn,
  ExternalRefIndex,
} from '../../platform/database/columns/external-ref-column.js';
import { DayCheck, DayColumn } from '../../platform/database/columns/day-column.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { ContentChanges, UpdatedBy } from '../../platform/database/views/approvable.js';
import { LockableRow } from '../../platform/database/views/rows.js';
import { endeavourLifecycle, type EndeavourStatus } from './endeavour.lifecycle.js';
import type { Goal } from './goals/goals.js';
import type { Stage } from './stages/stages.js';

/** A container of work with goals. */
@Entity('endeavours')
@Index('endeavours_words_idx', { synchronize: false })
@ExternalRefIndex('endeavours')
@Index('endeavours_external_ref_idx', { synchronize: false })
@ExternalRefCheck('endeavours')
@DayCheck('endeavours', 'start_day', 'start_date')
@DayCheck('endeavours', 'end_day', 'end_date')
@Index('endeavours_name_trigram_idx', { synchronize: false })
@Index('endeavours_description_trigram_idx', { synchronize: false })
@Check('endeavours_status_check', endeavourLifecycle.check())
@Check('endeavours_key_check', "key ~ '^[A-Z][A-Z0-9]{1,9}$'")
@Check('endeavours_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('endeavours_end_date_check', 'end_date >= start_date')
@Check('endeavours_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Check('endeavours_goals_check', "jsonb_typeof(goals) = 'array'")
@Check('endeavours_fields_check', 'jsonb_array_length(fields) BETWEEN 1 AND 50')
@Check('endeavours_stages_check', 'jsonb_array_length(stages) BETWEEN 1 AND 20')
@Check('endeavours_erasure_at_check', "erasure_at IS NULL OR status = 'archived'")
@Index('endeavours_transfer_to_idx', ['transferTo'], { where: 'transfer_to IS NOT NULL' })
@Index(['dodPolicyId'])
@Index(['createdBy', 'status'])
@Index(['organizationId'])
@Index('endeavours_stale_dates_idx', ['id'], { where: 'derived_timezone IS DISTINCT FROM timezone' })
@ForeignKey('OrganizationEndeavour', ['organizationId', 'id'], ['organizationId', 'endeavourId'], {
  deferrable: 'INITIALLY DEFERRED',
})
@Index(['id', 'holds'], { unique: true })
@Index('endeavours_closed_by_idx', ['closedBy'], { where: 'closed_by IS NOT NULL' })
export class Endeavour extends LockableRow {
  @Column('text')
  name: string;

  /** Unique in its home; null before existing endeavours have keys. Set by a trigger unless a request chooses it. */
  @Column('text', { nullable: true })
  key?: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb', { default: [] })
  goals: Goal[];

  /** In their order; null if there are none. */
  @Column('jsonb', { nullable: true })
  stages?: Stage[] | null;

  /** The fields of its tasks and demands; null if there are none. */
  @Column('jsonb', { nullable: true })
  fields?: readonly DeclaredField[] | null;

  /** Whether a task there has, or had, parts: without any, none are looked up. */
  @Column('boolean', { default: false })
  hasParts?: boolean;

  @Column('text', { default: 'active' })
  status: EndeavourStatus;

  /** The IANA time zone in which the days of the endeavour begin and end. */
  @Column('text', { default: 'UTC' })
  timezone: string;

  @Column('text', { default: 'en' })
  lang: string;

  @TimestampColumn({ nullable: true })
  startDate: Date | null;

  /** The day that the endeavour starts on; null for an instant. */
  @DayColumn()
  startDay: string | null;

  @TimestampColumn({ nullable: true })
  endDate: Date | null;

  /** The day that the endeavour ends on; null for an instant. */
  @DayColumn()
  endDay: string | null;

  /** The time zone by which the instants of its days were derived; null before existing dates were converted. */
  @Column('text', { nullable: true })
  derivedTimezone?: string | null;

  @ExternalRefColumn()
  externalRef?: ExternalRef | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @TimestampColumn({ nullable: true })
  completedAt: Date | null;

  @TimestampColumn({ nullable: true })
  archivedAt: Date | null;

  @Column('text', { nullable: true })
  archivedReason: string | null;

  /** The time from which the archived endeavour is erased; null if that is not requested. */
  @TimestampColumn({ nullable: true })
  erasureAt?: Date | null;

  /** The organization to which an owner of the home wants to transfer it, until a second owner confirms. */
  @Column('text', { nullable: true })
  @ForeignKey('Organization', { onDelete: 'SET NULL' })
  transferTo?: string | null;

  /** The user who requested the transfer. */
  @Column('text', { nullable: true })
  transferBy?: string | null;

  /** The home organization, to which the endeavour is also linked. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  /** Whether only direct members, and admins and owners of the home organization, have a role in the endeavour. */
  @Column('boolean', { default: false })
  isPrivate: boolean;

  @Column('text', { nullable: true })
  @ForeignKey('Policy')
  dodPolicyId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  createdBy: string | null;

  /** The running operation that blocks writes (`access/visibility/container-write-blocks.ts`). */
  @Column('text', { nullable: true })
  @ForeignKey('OperationRow')
  closedBy: string | null;

  @UpdatedBy()
  updatedBy?: string | null;

  @ContentChanges()
  contentChanges?: object;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
