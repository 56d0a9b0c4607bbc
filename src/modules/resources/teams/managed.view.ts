/**
 * SQL: whether the user `user` with the resource `resource` manages resource `r` (spec 02). The resource of a user is
 * managed by that user; any other by the admins of its home organization, or by its creator if it has no home
 * organization. Administrators manage every resource; callers check that separately.
 */
export const isManagedBy = (r: string, user: string, resource: string): string => `CASE
  WHEN ${r}.user_id IS NOT NULL THEN ${r}.user_id = ${user}
  WHEN ${r}.organization_id IS NOT NULL
    THEN EXISTS (SELECT 1 FROM organization_resources mine
                 WHERE mine.organization_id = ${r}.organization_id AND mine.user_id = ${user} AND role_rank(mine.role) >= 3)
  ELSE ${r}.created_by = ${resource} END`;
