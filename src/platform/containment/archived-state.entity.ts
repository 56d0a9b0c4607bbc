import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Kind } from '../../common/kinds.js';

/** The state of one entity before archiving; kept until the archiving is undone or the entity is erased. */
@Entity('archived_states')
@Check('archived_states_previous_check', "jsonb_typeof(previous) = 'object'")
@Index(['endeavourId', 'kind'])
@Index('archived_states_organization_id_idx', ['organizationId'], { where: 'organization_id IS NOT NULL' })
export class ArchivedState {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  kind: Kind;

  /** The endeavour that it is in; an endeavour is in itself, an organization in none. */
  @Column('text', { nullable: true })
  endeavourId: string | null;

  /** Of an endeavour: the organization that it was archived with, if it was not by itself. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  /** The columns that were changed, with their values before. */
  @Column('jsonb')
  previous: Record<string, unknown>;
}
