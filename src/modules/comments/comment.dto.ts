import { Id, JsonObject, OneOf, Text } from '../../platform/http/bodies/fields.js';
import { COMMENTED_KINDS, type CommentedKind } from './comment.entity.js';

export class CreateCommentDto {
  @OneOf(COMMENTED_KINDS, { required: true, example: 'task' })
  entity_type: CommentedKind;

  @Id(COMMENTED_KINDS, { required: true })
  entity_id: string;

  @Id('comment', {
    description:
      'The comment that this one replies to; it must be on the same entity. A reply to a reply joins the same thread.',
  })
  reply_to_id?: string;

  @Text({ required: true, example: 'Green, like the shed. @Ann?' })
  content: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateCommentDto {
  @Text({ nullable: false })
  content?: string;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
