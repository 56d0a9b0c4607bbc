import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { APPROVED_KINDS, type ApprovedKind } from './approved-kinds.js';

export const VERDICTS = ['approved', 'rejected', 'needs_work'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A verdict on a revision of an entity. A trigger makes everything immutable except `is_current` and the dismissal. */
@Entity('approvals')
// Unique: one current approval per entity, approver and role, or without a role.
@Index('approvals_current_idx', { synchronize: false })
@Check('approvals_entity_type_check', `entity_type IN ('${APPROVED_KINDS.join("', '")}')`)
@Check('approvals_verdict_check', `verdict IN ('${VERDICTS.join("', '")}')`)
@Check('approvals_role_check', 'char_length(role) BETWEEN 1 AND 100')
@Check('approvals_comment_check', 'char_length(comment) <= 50000')
@Check('approvals_role_held_check', '(role IS NULL) = (role_held IS NULL)')
@Check('approvals_dismissed_by_check', '(dismissed_at IS NULL) = (dismissed_by IS NULL)')
@Check('approvals_dismissed_at_check', "dismissed_at IS NULL OR verdict = 'rejected'")
@Check('approvals_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['entityId', 'createdAt', 'id'])
@Index(['approverId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
export class Approval {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  id: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('text')
  entityType: ApprovedKind;

  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  verdict: Verdict;

  /** The role in which the approval was given: a role in the endeavour or organization, or a stakeholder role. */
  @Column('text', { nullable: true })
  role: string | null;

  @Column('text', { nullable: true })
  comment: string | null;

  @Column('text')
  @ForeignKey('Resource')
  approverId: string;

  /** The revision of the entity at the time of the approval. */
  @Column('integer')
  entityRevision: number;

  /** Whether the approver held that role at the time; null without a role. */
  @Column('boolean', { nullable: true })
  roleHeld: boolean | null;

  /** Whether the approver was a member of the entity's container at that time. */
  @Column('boolean', { default: true })
  wasMember: boolean;

  /** Whether the approver was an author at the time. */
  @Column('boolean', { default: false })
  wasAuthor: boolean;

  /** False once the same approver gives another approval in the same role. */
  @Column('boolean', { default: true })
  isCurrent: boolean;

  /** Set when an admin dismisses a rejection. */
  @TimestampColumn({ nullable: true })
  dismissedAt: Date | null;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  dismissedBy: string | null;

  @Column('text', { nullable: true })
  dismissedReason: string | null;

  /** Of a verdict on a task: the endeavour in which it was given. Triggers write this and what follows. */
  @Column('text', { nullable: true })
  givenIn: string | null;

  /** Of a rejection or needs_work: the roles that the approver has in that endeavour. */
  @Column('text', { array: true, nullable: true })
  heldRoles: string[] | null;

  /** The type of the approver's account at that time. */
  @Column('text', { nullable: true })
  giverType: string | null;

  /** The roles that an author of the task took from the approver, and for which the verdict counts on. */
  @Column('text', { array: true, nullable: true })
  keptRoles: string[] | null;

  /** When the approver lost the membership in that endeavour, unless an author of the task took it. */
  @TimestampColumn({ nullable: true })
  liftedAt: Date | null;

  /** Who ended the membership of the approver, or closed their account. */
  @Column('text', { nullable: true })
  endedBy: string | null;

  /** Whether that was an author of the task then; null if it was not stored then. */
  @Column('boolean', { nullable: true })
  endedByAuthor: boolean | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;
}
