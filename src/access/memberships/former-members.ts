import { homeOrganizationOf } from './home.js';

/**
 * SQL: whether the user's membership in the organization, the endeavour or its home organization ended or
 * lost rights at or after a time. All parameters are SQL expressions; the containers can be null.
 */
export const endedOrLoweredSince = (
  userId: string,
  { organization, endeavour }: { organization: string; endeavour: string },
  time: string,
): string =>
  `EXISTS (SELECT 1 FROM former_members former WHERE former.user_id = ${userId} AND greatest(former.left_at, former.lowered_at) >= ${time}
    AND former.container_id IN (${organization}, ${endeavour}, ${homeOrganizationOf(endeavour)}))`;
