import { joinUser } from '../../../access/visibility/people.view.js';

/**
 * SQL: whether resource `r` is active and can be assigned to work of the endeavour. It is the resource of an active
 * user who is a member there, directly or through an organization; a resource or team of one of its organizations; or a
 * resource without an organization that was created by the resource `manager`.
 */
export const isAssignable = (r: string, endeavour: string, manager: string): string => `(
  ${r}.status = 'active' AND ${r}.deleted_at IS NULL AND CASE WHEN ${r}.user_id IS NOT NULL
  THEN EXISTS (SELECT 1 FROM endeavour_grants g ${joinUser('u', 'g.user_id')}
    WHERE u.id = ${r}.user_id AND u.status = 'active' AND g.endeavour_id = ${endeavour} AND g.rank >= role_rank('member'))
  ELSE EXISTS (SELECT 1 FROM organization_resources o JOIN organization_endeavours l USING (organization_id)
    WHERE o.resource_id = ${r}.id AND l.endeavour_id = ${endeavour})
    OR (${r}.created_by = ${manager} AND ${r}.organization_id IS NULL)
  END)`;
