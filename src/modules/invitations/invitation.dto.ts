import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { Email, Id, Instant, ListOf, OneOf, Secret, Int } from '../../platform/http/fields.js';

const MAX_USES = 10_000;

export class CreateInvitationDto {
  @Email({
    description:
      'Sends the token to this e-mail address; only this address can use it. Cannot be combined with user_id.',
  })
  email?: string;

  @Id('user', {
    description:
      'A user who is visible to you. The user is notified by mail and in the inbox; only this user can accept.',
  })
  user_id?: string;

  @Id('organization', { isUsual: true })
  organization_id?: string;

  @OneOf(ORGANIZATION_ROLES, { description: 'The role in the organization; defaults to member.' })
  role?: OrganizationRole;

  @Id('endeavour')
  endeavour_id?: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'The role in the endeavour; defaults to member.' })
  endeavour_role?: EndeavourRole;

  @Int({
    min: 1,
    max: MAX_USES,
    description: 'Defaults to 1. More than 1 is possible only without email and user_id.',
  })
  max_uses?: number;

  @Instant({ description: 'Must be in the future; defaults to 7 days from now.', example: '2030-01-01T00:00:00Z' })
  expires_at?: string;
}

export class CreateInvitationsDto {
  @ListOf(CreateInvitationDto, {
    required: true,
    min: 1,
    max: 100,
    description: 'The invitations. One person can be invited to one organization or endeavour once.',
  })
  invitations: CreateInvitationDto[];
}

export class UpdateInvitationDto {
  @Int({ min: 1, max: MAX_USES, nullable: false, description: 'Must be at least the number of uses so far.' })
  max_uses?: number;

  @Instant({ nullable: false, description: 'Must be in the future.', example: '2030-01-01T00:00:00Z' })
  expires_at?: string;
}

export class AcceptInvitationDto {
  @Secret({ required: true })
  token: string;
}
