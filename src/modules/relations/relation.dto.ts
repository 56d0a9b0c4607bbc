import { Id, JsonObject, OneOf, Word } from '../../platform/http/fields.js';
import { RELATED_KINDS, type Ends, type RelatedKind } from './relation.rules.js';

export class CreateRelationDto implements Ends {
  @Word({
    required: true,
    pattern: /^[a-z][a-z0-9_]{1,99}$/,
    example: 'depends_on',
    description:
      'depends_on, blocks, relates_to, duplicates, supersedes, parent_of, uses, references, or another word. What the ' +
      'service keeps itself (belongs_to, assigned_to, member_of and the like) has operations of its own.',
  })
  relationship_type: string;

  @OneOf(RELATED_KINDS, { required: true, example: 'task' })
  source_entity_type: RelatedKind;

  @Id(RELATED_KINDS, { required: true })
  source_entity_id: string;

  @OneOf(RELATED_KINDS, { required: true, example: 'task' })
  target_entity_type: RelatedKind;

  @Id(RELATED_KINDS, { required: true })
  target_entity_id: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
