import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { LISTED_KINDS, type ListedKind } from './listed-kinds.js';

/** A saved query of the list of tasks or demands: of an endeavour, of an organization, or of the person who made it. */
@Entity('views')
@Check('views_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('views_kind_check', `kind IN ('${LISTED_KINDS.join("', '")}')`)
@Check('views_query_check', "jsonb_typeof(query) = 'object'")
@Check('views_container_id_check', 'container_id = coalesce(endeavour_id, organization_id, created_by)')
@Check('views_organization_id_check', 'endeavour_id IS NULL OR organization_id IS NULL')
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['organizationId', 'createdAt', 'id'])
@Index(['containerId', 'kind'])
@Index(['createdAt', 'id'])
@Index('views_default_idx', ['containerId', 'kind'], { unique: true, where: 'is_default AND deleted_at IS NULL' })
export class SavedView extends Row {
  @Column('text')
  name: string;

  @Column('text')
  kind: ListedKind;

  /** The parameters of the list, as in a query string. */
  @Column('jsonb')
  query: Record<string, string>;

  /** The properties that clients show as columns. */
  @Column('text', { array: true, default: '{}' })
  columns: string[];

  /** The property by which clients group. */
  @Column('text', { nullable: true })
  groupBy: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  /** Its endeavour or organization, or the resource of the person whose own it is. */
  @Column('text')
  containerId: string;

  /** Whether clients open it first; at most one of each kind is in a container. */
  @Column('boolean', { default: false })
  isDefault: boolean;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
