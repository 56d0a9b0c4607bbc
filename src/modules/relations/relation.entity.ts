import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { Row } from '../../platform/database/views/rows.js';
import { RELATED_KINDS, type RelatedKind } from './relation.rules.js';

const kinds = `('${RELATED_KINDS.join("', '")}')`;

/** A typed relation between two entities. It can be deleted, but not changed. */
@Entity('relations')
@Check('relations_relationship_type_check', "relationship_type ~ '^[a-z][a-z0-9_]{1,99}$'")
@Check('relations_source_entity_type_check', `source_entity_type IN ${kinds}`)
@Check('relations_target_entity_type_check', `target_entity_type IN ${kinds}`)
@Check('relations_target_entity_id_check', 'source_entity_id <> target_entity_id')
@Check('relations_metadata_check', "jsonb_typeof(metadata) = 'object'")
// The name of the index without `_idx` is the reason in the response.
@Index('duplicate_relation_idx', ['sourceEntityId', 'targetEntityId', 'relationshipType'], {
  unique: true,
  where: 'deleted_at IS NULL',
})
@Index(['sourceEntityId'])
@Index(['targetEntityId'])
@Index(['createdAt', 'id'])
export class Relation extends Row {
  @Column('text')
  relationshipType: string;

  @Column('text')
  sourceEntityType: RelatedKind;

  @Column('text')
  @ForeignKey('EntityRow')
  sourceEntityId: string;

  @Column('text')
  targetEntityType: RelatedKind;

  @Column('text')
  @ForeignKey('EntityRow')
  targetEntityId: string;

  /** The endeavour of the source at the time of creation, in which the creator was a member. */
  @Column('text', { nullable: true })
  madeIn: string | null;

  /**
   * For a relation between a task and an artifact: the endeavour of the task, in which the creator was a member; null
   * otherwise.
   */
  @Column('text', { nullable: true })
  tiedIn: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;

  @Column('text', { nullable: true })
  deletedBy: string | null;

  /** Whether who deleted it was an admin of the endeavour of its source. */
  @Column('boolean', { default: false })
  deletedByAdmin: boolean;
}
