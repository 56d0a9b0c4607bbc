import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { Email, Id, Instant, ListOf, OneOf, Secret, Int } from '../../platform/http/bodies/fields.js';
import { INVITATION_KINDS, type InvitationKind } from './invitation.entity.js';

const MAX_USES = 10_000;

export class CreateInvitationDto {
  @OneOf(INVITATION_KINDS, {
    description:
      'What is offered: `roles` (the default) to the person, or a `link` of the endeavour to an organization where the ' +
      'person is an admin. A link takes `endeavour_id`, and neither roles nor `organization_id`.',
  })
  kind?: InvitationKind;

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

  @Id('endeavour', { description: 'The endeavour to join, or with the kind `link` the one to link.' })
  endeavour_id?: string;

  @OneOf(ENDEAVOUR_ROLES, { description: 'The role in the endeavour; defaults to member.' })
  endeavour_role?: EndeavourRole;

  @Int({
    min: 1,
    max: MAX_USES,
    description: 'Defaults to 1. More than 1 is possible only for roles, without email and user_id.',
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

/** The organization that an accepted invitation of the kind `link` links to the endeavour. */
export class AcceptOwnInvitationDto {
  @Id('organization', {
    description:
      'Required for an invitation of the kind `link`, and refused for others: the organization to link the endeavour to. ' +
      'You must be an admin there.',
  })
  organization_id?: string;
}

export class AcceptInvitationDto extends AcceptOwnInvitationDto {
  @Secret({ required: true })
  token: string;
}
