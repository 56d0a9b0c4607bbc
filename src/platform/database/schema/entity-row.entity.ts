import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Kind } from '../../../common/kinds.js';
import { TimestampColumn } from '../columns/timestamp-column.js';

/**
 * One row for every entity of every kind: its container, title and deletion. Comments, relations, approvals and events
 * reference it, and visibility is decided from it. Written only by platform/events.
 */
@Entity('entities')
@Check('entities_kind_check', "kind ~ '^[a-z_]+$'")
@Index(['endeavourId', 'kind'])
@Index(['organizationId', 'kind'])
@Index(['ownerUserId', 'kind'], { where: 'owner_user_id IS NOT NULL' })
@Index('entities_global_kind_idx', ['kind'], { where: 'is_global' })
@Index(['parentId'], { where: 'parent_id IS NOT NULL' })
export class EntityRow {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  kind: Kind;

  /** The endeavour of the entity; an endeavour contains itself. */
  @Column('text', { nullable: true })
  endeavourId: string | null;

  /** The organization of an entity without an endeavour; an organization contains itself. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  /** The owner of an entity without a container: a personal copy, a resource, or the user itself. */
  @Column('text', { nullable: true })
  ownerUserId: string | null;

  /** Visible to every signed-in user: built-in entities, and templates and policies without an organization. */
  @Column('boolean', { default: false })
  isGlobal: boolean;

  @Column('text')
  title: string;

  /** The parent (the task of a comment): a trigger moves and deletes the entity with it. */
  @Column('text', { nullable: true })
  @ForeignKey('EntityRow')
  parentId: string | null;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
