import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ContentChanges, UpdatedBy } from '../../../platform/database/views/approvable.js';
import { VersionedRow } from '../../../platform/database/views/rows.js';
import type { Condition } from '../conditions/condition.js';
import {
  POLICY_CONTAINERS,
  POLICY_SCOPES,
  policyLifecycle,
  STRICTNESSES,
  type PolicyContainer,
  type PolicyScope,
  type PolicyStatus,
  type Strictness,
} from './policy.lifecycle.js';

/** A version of a Definition of Done. A trigger makes its rules immutable; they change only with a new version. */
@Entity('dod_policies')
@Index('dod_policies_words_idx', { synchronize: false })
@Index('dod_policies_name_trigram_idx', { synchronize: false })
@Index('dod_policies_description_trigram_idx', { synchronize: false })
@Check('dod_policies_status_check', policyLifecycle.check())
@Check('dod_policies_strictness_check', `strictness IN ('${STRICTNESSES.join("', '")}')`)
@Check('dod_policies_quorum_check', "(strictness = 'n_of') = (quorum IS NOT NULL) AND quorum > 0")
@Check('dod_policies_scope_check', `scope IN ('${POLICY_SCOPES.join("', '")}')`)
@Check('dod_policies_origin_check', "origin IN ('template', 'custom', 'fork')")
@Check('dod_policies_created_by_check', "(origin = 'template') = (created_by IS NULL)")
@Check('dod_policies_version_check', 'version > 0')
@Check('dod_policies_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check(
  'dod_policies_conditions_check',
  "jsonb_typeof(conditions) = 'array' AND jsonb_array_length(conditions) BETWEEN 1 AND 50",
)
@Check('dod_policies_container_check', `container IN ('${POLICY_CONTAINERS.join("', '")}')`)
@Check('dod_policies_organization_id_check', "(container = 'organization') = (organization_id IS NOT NULL)")
@Check('dod_policies_endeavour_id_check', "(container = 'endeavour') = (endeavour_id IS NOT NULL)")
@Check('dod_policies_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['predecessorId'], { unique: true, where: "origin = 'custom'" })
@Index(['organizationId', 'createdAt', 'id'])
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['lineageId', 'version'])
@Index(['createdAt', 'id'])
@ForeignKey('Policy', ['predecessorId'], ['id'])
@ForeignKey('Policy', ['lineageId'], ['id'])
export class Policy extends VersionedRow {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb')
  conditions: Condition[];

  @Column('text', { default: 'all' })
  strictness: Strictness;

  @Column('integer', { nullable: true })
  quorum: number | null;

  @Column('text', { default: 'task' })
  scope: PolicyScope;

  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  @Column('text', { default: 'global' })
  container: PolicyContainer;

  @Column('text', { default: 'active' })
  status: PolicyStatus;

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
