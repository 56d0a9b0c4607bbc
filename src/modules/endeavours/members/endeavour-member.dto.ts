import { ENDEAVOUR_ROLES, type EndeavourRole } from '../../../common/roles.js';
import { StakeholderRoles } from '../../../access/permissions/stakeholder-roles.js';
import { Id, OneOf } from '../../../platform/http/bodies/fields.js';

export class AddEndeavourMemberDto {
  @Id('user', { required: true })
  user_id: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'Defaults to member.' })
  role?: EndeavourRole;

  @StakeholderRoles()
  stakeholder_roles?: string[];
}

export class UpdateEndeavourMemberDto {
  @OneOf(ENDEAVOUR_ROLES, { nullable: false })
  role?: EndeavourRole;

  @StakeholderRoles()
  stakeholder_roles?: string[] | null;
}
