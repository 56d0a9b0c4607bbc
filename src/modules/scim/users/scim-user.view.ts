import { wireTime } from '../../../platform/database/views/view.js';

/** SQL: erases what directories say about the user. */
export const eraseScimUsers = (user: string): string => `DELETE FROM scim_users WHERE user_id = ${user}`;

/** SQL: erases in which groups of directories the user is. */
export const eraseScimGroups = (user: string): string => `DELETE FROM scim_group_members WHERE user_id = ${user}`;

/** SQL: forgets who made provisioning tokens. */
export const eraseScimTokenMaker = (user: string): string =>
  `UPDATE scim_tokens SET made_by = NULL WHERE made_by = ${user}`;

/** A query for what directories say about the user, as JSON: for the export of personal data. */
export const ownScimUsers = (user: string): string =>
  `SELECT json_build_object('organization_id', s.organization_id, 'user_name', s.user_name, 'external_id', s.external_id,
      'display_name', s.display_name, 'name', s.name, 'emails', s.emails, 'active', s.active,
      'groups', ARRAY(SELECT g.display_name FROM scim_group_members e JOIN scim_groups g ON g.team_id = e.team_id
        WHERE e.user_id = s.user_id AND g.organization_id = s.organization_id ORDER BY g.display_name),
      'created_at', ${wireTime('s.created_at')}, 'updated_at', ${wireTime('s.updated_at')}) AS body
    FROM scim_users s WHERE s.user_id = ${user} ORDER BY s.organization_id`;
