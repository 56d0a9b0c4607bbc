import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import { defineView, id, nullable, oneOf, text, time, whole } from '../../platform/database/view.js';

/** An invitation as those who may invite there see it; never with its token. */
export const invitationView = defineView({
  name: 'Invitation',
  kind: 'invitation',
  table: 'invitations',
  alias: 'i',
  joins: `JOIN users inviter ON inviter.id = i.invited_by
    LEFT JOIN organizations o ON o.id = i.organization_id LEFT JOIN endeavours e ON e.id = i.endeavour_id`,
  fields: {
    id: id('i.id', 'invitation'),
    email: nullable(text('i.email')),
    organization_id: nullable(id('i.organization_id', 'organization')),
    organization_name: nullable(text('o.name')),
    role: nullable(oneOf('i.role', ORGANIZATION_ROLES)),
    endeavour_id: nullable(id('i.endeavour_id', 'endeavour')),
    endeavour_name: nullable(text('e.name')),
    endeavour_role: nullable(oneOf('i.endeavour_role', ENDEAVOUR_ROLES)),
    max_uses: whole('i.max_uses'),
    uses: whole('i.uses'),
    expires_at: time('i.expires_at'),
    invited_by: id('i.invited_by', 'user'),
    invited_by_name: text('inviter.name'),
    created_at: time('i.created_at'),
    updated_at: time('i.updated_at'),
    revision: whole('i.revision'),
  },
});
