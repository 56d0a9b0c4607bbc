import type { SentExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefField,
  Hours,
  Id,
  JsonObject,
  Name,
  OneOf,
  ResourceRef,
  StringList,
  Keyword,
} from '../../platform/http/bodies/fields.js';
import { field } from '../../platform/http/bodies/fields/field.js';
import { dropUnknown } from '../../platform/context/unknown-fields.js';
import { QUORUM_ACTIONS, quorumErrors, type Quorum } from './quorums/quorum.rules.js';
import { RESOURCE_STATUSES, RESOURCE_TYPES, type ResourceStatus, type ResourceType } from './resource.entity.js';

const CAPACITY_MODEL = {
  pattern: /^[a-z][a-z0-9_-]{0,99}$/,
  example: 'hours_per_week',
  description: 'One of hours_per_week, tokens_per_day, always_on, budget, or your own model in lower case.',
};

const quorumSchema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    QUORUM_ACTIONS.map(
      (action) =>
        [
          action,
          {
            type: ['integer', 'null'],
            minimum: 2,
            description: `The number of members who must agree to the action \`${action}\`.`,
          },
        ] as const,
    ),
  ),
} as const;

export class CreateResourceDto {
  @Name({ required: true, example: 'The gardeners' })
  name: string;

  @OneOf(RESOURCE_TYPES, { required: true, example: 'team' })
  type: ResourceType;

  @Keyword(CAPACITY_MODEL)
  capacity_model?: string;

  @Hours({ description: 'The capacity in the unit of capacity_model.' })
  capacity_value?: number;

  @StringList()
  skills?: string[];

  @ExternalRefField({ isNew: true })
  external_ref?: SentExternalRef;

  @JsonObject()
  metadata?: Record<string, unknown>;

  @Id('organization', { description: 'The home organization of the resource.' })
  organization_id?: string;
}

export class UpdateResourceDto {
  @Name({ nullable: false })
  name?: string;

  @OneOf(RESOURCE_TYPES, {
    nullable: false,
    description: "Can change among human, agent, service and budget. The type of a user's resource cannot be changed.",
  })
  type?: ResourceType;

  @Keyword(CAPACITY_MODEL)
  capacity_model?: string | null;

  @Hours({ description: 'The capacity in the unit of capacity_model.' })
  capacity_value?: number | null;

  @StringList()
  skills?: string[] | null;

  @OneOf(RESOURCE_STATUSES, { nullable: false, description: 'Inactive resources cannot be assigned to new work.' })
  status?: ResourceStatus;

  @field({ errorsOf: quorumErrors, prepare: (value) => dropUnknown(value, QUORUM_ACTIONS) }, quorumSchema as never, {
    description:
      'For teams: how many members must agree to cancel, to fulfill, or (default) to any other status change of ' +
      "the team's work; from 2 to the number of members. Merged by key; null removes a rule.",
    example: { cancel: 2 },
  })
  quorum?: { [A in keyof Quorum]: number | null } | null;

  @ExternalRefField()
  external_ref?: SentExternalRef | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

export class AddTeamMemberDto {
  @ResourceRef({ required: true, description: 'A resource in the home organization of the team.' })
  resource_id: string;

  @Keyword({ example: 'lead' })
  role?: string;
}

export class TransferResourceDto {
  @Id('organization', { required: true, description: 'The new home organization.' })
  organization_id: string;
}
