import { wireTime } from '../../platform/database/views/view.js';

/** SQL about invitations, for the statements of features that have only the ids of users. */

/** SQL: whether the user created the invitation. */
export const isInvitationBy = (invitation: string, user: string): string =>
  `EXISTS (SELECT 1 FROM invitations i WHERE i.id = ${invitation} AND i.invited_by = ${user})`;

/** A query for the invitations by and for the user, as JSON: for the export of personal data. */
export const ownInvitations = (user: string, email: string): string =>
  `SELECT json_build_object('id', i.id, 'kind', i.kind, 'organization_id', i.organization_id, 'role', i.role,
      'endeavour_id', i.endeavour_id, 'endeavour_role', i.endeavour_role, 'invited_by', i.invited_by,
      'created_at', ${wireTime('i.created_at')}, 'expires_at', ${wireTime('i.expires_at')}) AS body
    FROM invitations i WHERE i.invitee IN (${user}, ${email}) OR i.invited_by = ${user} ORDER BY i.id`;

/** SQL: whether the user has accepted an invitation into the organization at that time or later. */
export const hasAcceptedInto = (organization: string, user: string, since: string): string =>
  `EXISTS (SELECT 1 FROM invitation_acceptances a JOIN invitations i ON i.id = a.invitation_id
     WHERE a.user_id = ${user} AND i.organization_id = ${organization} AND a.accepted_at >= ${since})`;
