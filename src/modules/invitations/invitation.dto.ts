import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { Email, Id, Instant, OneOf, Secret, Whole } from '../../platform/http/fields.js';

export class CreateInvitationDto {
  @Email({ description: 'The token is mailed there, and only this address may use it.' })
  email?: string;

  @Id('organization')
  organization_id?: string;

  @OneOf(ORGANIZATION_ROLES, { description: 'In the organization; member by default.' })
  role?: OrganizationRole;

  @Id('endeavour')
  endeavour_id?: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'In the endeavour; member by default.' })
  endeavour_role?: EndeavourRole;

  @Whole({ min: 1, max: 10_000, description: '1 by default; more only without e-mail.' })
  max_uses?: number;

  @Instant({ description: 'In the future; 7 days from now by default.', example: '2030-01-01T00:00:00Z' })
  expires_at?: string;
}

export class AcceptInvitationDto {
  @Secret({ required: true })
  token: string;
}
