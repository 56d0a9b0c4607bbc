import { ORGANIZATION_ROLES, type OrganizationRole } from '../../../common/roles.js';
import { Hours, Id, OneOf, ResourceRef } from '../../../platform/http/bodies/fields.js';

export class AddOrganizationMemberDto {
  @Id('user', { required: true })
  user_id: string;

  @OneOf(ORGANIZATION_ROLES, { description: 'Defaults to member.' })
  role?: OrganizationRole;
}

export class UpdateOrganizationMemberDto {
  @OneOf(ORGANIZATION_ROLES, { nullable: false, example: 'member' })
  role?: OrganizationRole;

  @Hours({
    description:
      'The hours per week that count in endeavours of the organization. null: the own capacity of the person counts.',
  })
  capacity?: number | null;
}

export class AddOrganizationResourceDto {
  @ResourceRef({ required: true })
  resource_id: string;

  @OneOf(ORGANIZATION_ROLES, { description: 'Defaults to member.' })
  role?: OrganizationRole;
}
