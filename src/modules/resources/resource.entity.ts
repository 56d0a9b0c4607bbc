import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefCheck,
  ExternalRefColumn,
  ExternalRefIndex,
} from '../../platform/database/columns/external-ref-column.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { LockableRow } from '../../platform/database/views/rows.js';
import type { Quorum } from './quorums/quorum.rules.js';

export const RESOURCE_TYPES = ['human', 'agent', 'service', 'budget', 'team'] as const;
export const RESOURCE_STATUSES = ['active', 'inactive'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];
export type ResourceStatus = (typeof RESOURCE_STATUSES)[number];

/**
 * A unit of capacity that can own, create and be assigned to work: a person, an agent, a service, a team or a budget.
 */
@Entity('resources')
@Index('resources_words_idx', { synchronize: false })
@ExternalRefIndex('resources')
@ExternalRefCheck('resources')
@Check('resources_type_check', `type IN ('${RESOURCE_TYPES.join("', '")}')`)
@Check('resources_status_check', `status IN ('${RESOURCE_STATUSES.join("', '")}')`)
@Check('resources_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('resources_capacity_value_check', 'capacity_value BETWEEN 0 AND 1000000000')
@Check('resources_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Check('resources_quorum_check', "quorum IS NULL OR type = 'team'")
@Index('resources_skills_idx', { synchronize: false })
@Index('resources_name_trigram_idx', { synchronize: false })
@Index('resources_folded_name_idx', { synchronize: false })
@Index(['createdAt', 'id'])
@Index(['userId'], { unique: true })
@Check('resources_organization_id_check', 'user_id IS NULL OR organization_id IS NULL')
@Index(['createdBy'])
@Index(['organizationId'])
@ForeignKey('OrganizationResource', ['organizationId', 'id'], ['organizationId', 'resourceId'], {
  deferrable: 'INITIALLY DEFERRED',
})
@Index(['id', 'holds'], { unique: true })
export class Resource extends LockableRow {
  @Column('text')
  name: string;

  @Column('text')
  type: ResourceType;

  @Column('text', { nullable: true })
  capacityModel: string | null;

  /** In the unit of the capacity model. */
  @Column('double precision', { nullable: true })
  capacityValue: number | null;

  @Column('text', { array: true, default: '{}' })
  skills: string[];

  @Column('text', { default: 'active' })
  status: ResourceStatus;

  /** The user whom the resource represents. Checked at commit, because the rows refer to each other. */
  @Column('text', { nullable: true })
  @ForeignKey('User', { deferrable: 'INITIALLY DEFERRED' })
  userId: string | null;

  /** The home organization, which manages the resource; the resource of a user has none. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  @Column('jsonb', { nullable: true })
  quorum: Quorum | null;

  @ExternalRefColumn()
  externalRef?: ExternalRef | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  createdBy: string | null;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
