import { Id, JsonObject, Name, OneOf, Text, Int } from '../../../platform/http/bodies/fields.js';
import { Conditions, type SentCondition } from '../conditions/sent.js';
import {
  POLICY_CONTAINERS,
  POLICY_SCOPES,
  policyLifecycle,
  STRICTNESSES,
  type PolicyContainer,
  type PolicyScope,
  type PolicyStatus,
  type Strictness,
} from './policy.lifecycle.js';

const QUORUM = {
  min: 1,
  max: 50,
  description:
    'Required with the strictness n_of, not accepted otherwise: how many of the required conditions must be met.',
};

export class CreatePolicyDto {
  @Name({ required: true, example: 'Reviewed and discussed' })
  name: string;

  @Text()
  description?: string;

  @Conditions({ required: true })
  conditions: SentCondition[];

  @OneOf(STRICTNESSES, { description: 'Defaults to all.' })
  strictness?: Strictness;

  @Int(QUORUM)
  quorum?: number;

  @OneOf(POLICY_SCOPES)
  scope?: PolicyScope;

  @Id('organization', { description: 'The organization that the policy belongs to.' })
  organization_id?: string;

  @Id('endeavour', { description: 'The endeavour that the policy belongs to.' })
  endeavour_id?: string;

  @OneOf(POLICY_CONTAINERS, {
    description:
      'Follows from organization_id or endeavour_id. Without these, it defaults to global for administrators ' +
      'and to personal for others.',
  })
  container?: PolicyContainer;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdatePolicyDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  description?: string | null;

  @OneOf(policyLifecycle.statuses, { nullable: false })
  status?: PolicyStatus;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

/** The properties of the next version; omitted ones are taken from the old version. */
export class VersionPolicyDto {
  @Name()
  name?: string;

  @Text()
  description?: string;

  @Conditions()
  conditions?: SentCondition[];

  @OneOf(STRICTNESSES)
  strictness?: Strictness;

  @Int(QUORUM)
  quorum?: number;

  @Id('organization', {
    description:
      'The target of the copy of a built-in policy. Without organization_id and endeavour_id, the copy is ' +
      'global for administrators and personal for others.',
  })
  organization_id?: string;

  @Id('endeavour', { description: 'The target of the copy of a built-in policy.' })
  endeavour_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
