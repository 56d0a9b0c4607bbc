import { Id, JsonObject, OneOf, Keyword } from '../../platform/http/bodies/fields.js';
import { RELATED_KINDS, type Ends, type RelatedKind } from './relation.rules.js';

export class CreateRelationDto implements Ends {
  @Keyword({
    required: true,
    pattern: /^[a-z][a-z0-9_]{1,99}$/,
    example: 'depends_on',
    description:
      'One of depends_on, blocks, relates_to, duplicates, supersedes, parent_of, uses, references, or your own ' +
      'type. has_member, member_of, belongs_to and participates_in create memberships and links; assigned_to, ' +
      'fulfills, governs and governed_by cannot be created here because they have their own operations.',
  })
  relationship_type: string;

  @OneOf(RELATED_KINDS, { required: true, example: 'task' })
  source_entity_type: RelatedKind;

  @Id(RELATED_KINDS, { required: true })
  source_entity_id: string;

  @OneOf(RELATED_KINDS, { required: true, example: 'demand' })
  target_entity_type: RelatedKind;

  @Id(RELATED_KINDS, { required: true, example: 'dmd_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b' })
  target_entity_id: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
