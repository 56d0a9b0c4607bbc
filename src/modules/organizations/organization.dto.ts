import { Bool, JsonObject, Name, OneOf, ResourceRef, Text } from '../../platform/http/bodies/fields.js';
import { SECOND_FACTOR_RULES, type SecondFactorRule } from './organization.entity.js';

export class CreateOrganizationDto {
  @Name({ required: true, example: 'Riverside Gardens' })
  name: string;

  @Text()
  description?: string;

  @OneOf(['active', 'inactive'])
  status?: 'active' | 'inactive';

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateOrganizationDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  description?: string | null;

  @OneOf(['active', 'inactive'], { nullable: false })
  status?: 'active' | 'inactive';

  @OneOf(SECOND_FACTOR_RULES, {
    nullable: false,
    description:
      'required withholds everything that the organization is the home of from sign-ins without a second factor, and from ' +
      'access tokens that were made in such a session. Only owners can change it. Send it with `dry_run` first: the response ' +
      'says who would be shut out.',
  })
  second_factor?: SecondFactorRule;

  @Bool({
    nullable: false,
    description:
      'With `second_factor` required: ends the access tokens that were made without one and are restricted to the ' +
      'organization or its endeavours. Others stay valid elsewhere.',
  })
  revoke_tokens?: boolean;

  @ResourceRef({
    description:
      'Who takes over the open work of people whom the directory of the organization dismisses: a member, or a resource or ' +
      'team of the organization. null leaves the work with them.',
  })
  scim_reassign_to?: string | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
