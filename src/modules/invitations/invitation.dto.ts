import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { Email, Id, Instant, OneOf, Secret, Whole } from '../../platform/http/fields.js';

const MOST_USES = 10_000;

export class CreateInvitationDto {
  @Email({ description: 'The token is mailed there, and only this address may use it. Not together with user_id.' })
  email?: string;

  @Id('user', { description: 'Somebody whom you see: told by mail and in their inbox; only they may accept.' })
  user_id?: string;

  @Id('organization', { isUsual: true })
  organization_id?: string;

  @OneOf(ORGANIZATION_ROLES, { description: 'In the organization; member by default.' })
  role?: OrganizationRole;

  @Id('endeavour')
  endeavour_id?: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'In the endeavour; member by default.' })
  endeavour_role?: EndeavourRole;

  @Whole({ min: 1, max: MOST_USES, description: '1 by default; more only without email and user_id.' })
  max_uses?: number;

  @Instant({ description: 'In the future; 7 days from now by default.', example: '2030-01-01T00:00:00Z' })
  expires_at?: string;
}

export class UpdateInvitationDto {
  @Whole({ min: 1, max: MOST_USES, nullable: false, description: 'Not below the uses there were.' })
  max_uses?: number;

  @Instant({ nullable: false, description: 'In the future.', example: '2030-01-01T00:00:00Z' })
  expires_at?: string;
}

export class AcceptInvitationDto {
  @Secret({ required: true })
  token: string;
}
