import { Id, JsonObject, Name, OneOf, Text, Whole } from '../../platform/http/fields.js';
import { Conditions, type SentCondition } from './conditions/sent.js';
import {
  POLICY_SCOPES,
  policyLifecycle,
  STRICTNESSES,
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

  @Id('organization', { description: 'Whose policy it is. Without one it is global, which administrators make.' })
  organization_id?: string;

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
    description: 'Where the copy of a built-in policy goes. Without one: to everybody (administrators), else to you.',
  })
  organization_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
