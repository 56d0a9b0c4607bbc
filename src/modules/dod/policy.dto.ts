import { Id, JsonObject, Name, OneOf, Text, Whole } from '../../platform/http/fields.js';
import { Conditions, type SentCondition } from './conditions/sent.js';
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
  description: 'With n_of only, and then required: how many of the required conditions must pass.',
};

export class CreatePolicyDto {
  @Name({ required: true, example: 'Reviewed and discussed' })
  name: string;

  @Text()
  description?: string;

  @Conditions({ required: true })
  conditions: SentCondition[];

  @OneOf(STRICTNESSES, { description: 'all where nothing is said.' })
  strictness?: Strictness;

  @Whole(QUORUM)
  quorum?: number;

  @OneOf(POLICY_SCOPES)
  scope?: PolicyScope;

  @Id('organization', { description: 'The organization whose policy it is.' })
  organization_id?: string;

  @Id('endeavour', { description: 'The endeavour whose policy it is.' })
  endeavour_id?: string;

  @OneOf(POLICY_CONTAINERS, {
    description:
      'Follows from organization_id or endeavour_id. Without these: global for administrators, else personal.',
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

/** What the next version has otherwise. */
export class VersionPolicyDto {
  @Name()
  name?: string;

  @Text()
  description?: string;

  @Conditions()
  conditions?: SentCondition[];

  @OneOf(STRICTNESSES)
  strictness?: Strictness;

  @Whole(QUORUM)
  quorum?: number;

  @Id('organization', {
    description:
      'Where the copy of a built-in policy goes. Without organization_id and endeavour_id it becomes global ' +
      '(administrators) or personal.',
  })
  organization_id?: string;

  @Id('endeavour', { description: 'Where the copy of a built-in policy goes.' })
  endeavour_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
