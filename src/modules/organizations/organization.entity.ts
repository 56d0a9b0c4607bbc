import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { LockableRow } from '../../platform/database/views/rows.js';
import { organizationLifecycle, type OrganizationStatus } from './organization.lifecycle.js';

export const SECOND_FACTOR_RULES = ['optional', 'required'] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/** A tenant: people and resources that run endeavours together. */
@Entity('organizations')
@Index('organizations_words_idx', { synchronize: false })
@Index('organizations_name_trigram_idx', { synchronize: false })
@Index('organizations_description_trigram_idx', { synchronize: false })
@Index(['createdBy', 'status'])
@Index(['scimReassignTo'], { where: 'scim_reassign_to IS NOT NULL' })
@Check('organizations_status_check', organizationLifecycle.check())
@Check('organizations_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('organizations_second_factor_check', "second_factor IN ('optional', 'required')")
@Index('organizations_second_factor_idx', ['id'], { where: "second_factor = 'required'" })
@Check('organizations_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Check('organizations_erasure_at_check', "erasure_at IS NULL OR status = 'archived'")
@Index(['id', 'holds'], { unique: true })
@Index('organizations_closed_by_idx', ['closedBy'], { where: 'closed_by IS NOT NULL' })
export class Organization extends LockableRow {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { default: 'active' })
  status: OrganizationStatus;

  /** Whether a sign-in with a second factor is required to see what the organization is the home of. */
  @Column('text', { default: 'optional' })
  secondFactor: SecondFactorRule;

  /** The resource that takes over the open work of people whom the directory dismisses; null if it stays with them. */
  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  scimReassignTo: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @TimestampColumn({ nullable: true })
  archivedAt: Date | null;

  @Column('text', { nullable: true })
  archivedReason: string | null;

  /** The time from which the archived organization is erased; null if that is not requested. */
  @TimestampColumn({ nullable: true })
  erasureAt?: Date | null;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  createdBy: string | null;

  /** The running operation that blocks writes (`access/visibility/container-write-blocks.ts`). */
  @Column('text', { nullable: true })
  @ForeignKey('OperationRow')
  closedBy: string | null;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
