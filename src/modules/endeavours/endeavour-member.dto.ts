import { ENDEAVOUR_ROLES, type EndeavourRole } from '../../common/roles.js';
import { Id, OneOf, Words } from '../../platform/http/fields.js';

const STAKEHOLDER_ROLES = {
  description: 'Free words that an approval may be given as, such as product_owner.',
  example: ['product_owner'],
} as const;

export class AddEndeavourMemberDto {
  @Id('user', { required: true })
  user_id: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'member where nothing is said.' })
  role?: EndeavourRole;

  @Words(STAKEHOLDER_ROLES)
  stakeholder_roles?: string[];
}

export class UpdateEndeavourMemberDto {
  @OneOf(ENDEAVOUR_ROLES, { nullable: false })
  role?: EndeavourRole;

  @Words(STAKEHOLDER_ROLES)
  stakeholder_roles?: string[] | null;
}
