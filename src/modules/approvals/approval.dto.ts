import { Id, JsonObject, OneOf, Text, Word } from '../../platform/http/fields.js';
import { VERDICTS, type Verdict } from './approval.entity.js';
import { APPROVED_KINDS, type ApprovedKind } from './approved-content.js';

export class CreateApprovalDto {
  @OneOf(APPROVED_KINDS, { required: true, example: 'task' })
  entity_type: ApprovedKind;

  @Id(APPROVED_KINDS, { required: true })
  entity_id: string;

  @OneOf(VERDICTS, { required: true, example: 'approved' })
  verdict: Verdict;

  @Word({ description: 'A role that you hold there: viewer to owner, up to your own, or a stakeholder role.' })
  role?: string;

  @Text()
  comment?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
