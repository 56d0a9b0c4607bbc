import { actsAsAdministrator } from './people.view.js';

/**
 * SQL: whether the user `:me` can see the e-mail address of a user (spec 02): their own, as an administrator, or as an
 * admin of an organization of which that user is a member.
 */
export const showsEmailOf = (user: string): string => `(${user} = :me
  OR ${actsAsAdministrator(':me')}
  OR EXISTS (SELECT 1 FROM organization_resources theirs JOIN organization_resources mine USING (organization_id)
             WHERE theirs.user_id = ${user} AND mine.user_id = :me AND role_rank(mine.role) >= 3))`;
