import { Id, JsonObject, OneOf, Text, Int, Keyword } from '../../platform/http/bodies/fields.js';
import { VERDICTS, type Verdict } from './approval.entity.js';
import { APPROVED_KINDS, type ApprovedKind } from './approved-kinds.js';

export class CreateApprovalDto {
  @OneOf(APPROVED_KINDS, { required: true, example: 'task' })
  entity_type: ApprovedKind;

  @Id(APPROVED_KINDS, { required: true })
  entity_id: string;

  @OneOf(VERDICTS, { required: true, example: 'approved' })
  verdict: Verdict;

  @Keyword({
    description:
      'The role in which the approval is given. Any text is accepted, but it counts only if you hold the role: ' +
      'viewer to owner up to your own role, or one of your stakeholder roles.',
  })
  role?: string;

  @Text()
  comment?: string;

  @Int({
    min: 1,
    max: 2_147_483_647,
    description:
      'The revision that you reviewed; the response is 412 if the entity has another revision. Equivalent to If-Match.',
  })
  entity_revision?: number;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class DismissApprovalDto {
  @Text({
    required: true,
    isReason: true,
    example: 'The finding belongs to another task.',
    description: 'The reason; must not be blank.',
  })
  reason: string;
}
