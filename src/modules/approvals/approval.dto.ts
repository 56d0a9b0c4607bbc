import { Id, JsonObject, OneOf, Text, Whole, Word } from '../../platform/http/fields.js';
import { VERDICTS, type Verdict } from './approval.entity.js';
import { APPROVED_KINDS, type ApprovedKind } from './approved-content.js';

export class CreateApprovalDto {
  @OneOf(APPROVED_KINDS, { required: true, example: 'task' })
  entity_type: ApprovedKind;

  @Id(APPROVED_KINDS, { required: true })
  entity_id: string;

  @OneOf(VERDICTS, { required: true, example: 'approved' })
  verdict: Verdict;

  @Word({
    description:
      'As what it is given: any word. Only a role that you hold there counts: viewer to owner, up to your own, or one of ' +
      'your stakeholder roles.',
  })
  role?: string;

  @Text()
  comment?: string;

  @Whole({
    min: 1,
    max: 2_147_483_647,
    description: 'The revision that you looked at; 412 where the thing has another one. If-Match does the same.',
  })
  entity_revision?: number;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class DismissApprovalDto {
  @Text({ required: true, example: 'The finding was about another task.', description: 'Why; not blank.' })
  reason: string;
}
