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

  /** The endeavour that contains it (an endeavour contains itself); null for an organization. */
  @Column('text', { nullable: true })
  endeavourId: string | null;

  /** For an endeavour: the organization that it was archived with, if any. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  /** The changed columns with their earlier values. */
  @Column('jsonb')
  previous: Record<string, unknown>;
}
