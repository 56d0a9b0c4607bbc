import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Kind } from '../../common/kinds.js';
import { Moment } from './moment.js';

/**
 * One row for everything that can be pointed at, whatever its kind: where it lies, what it is called, whether it is
 * gone. Comments, relations, approvals and events refer to it, and visibility of anything is decided from it.
 * Filled by the write door (platform/changes) alone.
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

  /** The endeavour it lies in; an endeavour lies in itself. */
  @Column('text', { nullable: true })
  endeavourId: string | null;

  /** The organization it lies in, if it lies in no endeavour; an organization lies in itself. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  /** The user whose own it is, where it lies in no container: a personal copy, a resource, the user itself. */
  @Column('text', { nullable: true })
  ownerUserId: string | null;

  /** Visible to everyone signed in: what is built in, and templates and policies without an organization. */
  @Column('boolean', { default: false })
  isGlobal: boolean;

  @Column('text')
  title: string;

  /** What it hangs on (a comment on a task): a trigger lets it move and go along with that. */
  @Column('text', { nullable: true })
  @ForeignKey('EntityRow')
  parentId: string | null;

  @Moment({ nullable: true })
  deletedAt: Date | null;
}
