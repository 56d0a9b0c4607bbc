import { joinUser, leftJoinUser } from '../../access/visibility/people.view.js';
import {
  leftJoinEndeavour,
  leftJoinOrganization,
  nameOfOrganization,
} from '../../access/visibility/containers.view.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import { INVITATION_KINDS, INVITATION_MAIL_STATUSES, INVITATION_STATUSES } from './invitation.entity.js';
import {
  defineView,
  id,
  withoutEventValue,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';

/** SQL: the status of the invitation `i`. */
export const invitationStatus = `CASE WHEN i.refused_at IS NOT NULL THEN 'refused' WHEN i.uses >= i.max_uses THEN 'accepted'
  WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END`;

/** The representation of an invitation for admins of the container and for the invited person, without the token. */
export const invitationView = defineView({
  name: 'Invitation',
  kind: 'invitation',
  table: 'invitations',
  alias: 'i',
  joins: `${leftJoinUser('invited', 'i.user_id')} ${joinUser('inviter', 'i.invited_by')}
    ${leftJoinOrganization('o', 'i.organization_id')} ${leftJoinEndeavour('e', 'i.endeavour_id')}`,
  fields: {
    id: id('i.id', 'invitation'),
    kind: oneOf('i.kind', INVITATION_KINDS),
    email: withoutEventValue(nullable(text('i.email'))),
    user_id: nullable(id('i.user_id', 'user')),
    user_name: withoutEventValue(nullable(text('invited.name'))),
    status: oneOf(invitationStatus, INVITATION_STATUSES),
    mail_status: nullable(oneOf('i.mail_status', INVITATION_MAIL_STATUSES)),
    organization_id: nullable(id('i.organization_id', 'organization')),
    organization_name: withoutEventValue(nullable(text('o.name'))),
    role: nullable(oneOf('i.role', ORGANIZATION_ROLES)),
    endeavour_id: nullable(id('i.endeavour_id', 'endeavour')),
    endeavour_name: withoutEventValue(nullable(text('e.name'))),
    home_name: withoutEventValue(
      nullable(
        text(
          `CASE WHEN i.kind = 'link' THEN ${nameOfOrganization('e.organization_id')} END`,
          'With the kind `link`: the name of the home organization of the endeavour.',
        ),
      ),
    ),
    endeavour_role: nullable(oneOf('i.endeavour_role', ENDEAVOUR_ROLES)),
    max_uses: integer('i.max_uses'),
    uses: integer('i.uses'),
    expires_at: time('i.expires_at'),
    invited_by: id('i.invited_by', 'user'),
    invited_by_name: withoutEventValue(text('inviter.name')),
    created_at: time('i.created_at'),
    updated_at: time('i.updated_at'),
    revision: integer('i.revision'),
  },
});
