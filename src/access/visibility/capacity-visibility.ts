import { actsAsAdministrator } from './people.view.js';

/**
 * SQL: whether the user `me` can see the capacity of a member of an organization (spec 14): the member, admins of the
 * organization, and administrators.
 */
export const showsCapacityOf = (user: string, organization: string, me: string): string => `(${user} = ${me}
  OR ${actsAsAdministrator(me)}
  OR EXISTS (SELECT 1 FROM organization_resources admin WHERE admin.organization_id = ${organization}
    AND admin.user_id = ${me} AND role_rank(admin.role) >= 3))`;
