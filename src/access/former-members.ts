import { homeOrganizationOf } from './home.js';

/**
 * SQL: whether the user's membership in one of these containers, or in the home of the endeavour, ended at or after
 * that time. All are SQL for their values; the containers may be null.
 */
export const leftSince = (
  userId: string,
  { organization, endeavour }: { organization: string; endeavour: string },
  time: string,
): string =>
  `EXISTS (SELECT 1 FROM former_members former WHERE former.user_id = ${userId} AND former.left_at >= ${time}
    AND former.container_id IN (${organization}, ${endeavour}, ${homeOrganizationOf(endeavour)}))`;
