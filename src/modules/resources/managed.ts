/**
 * SQL: whether the user, who is that resource, manages resource `r` (spec 02): a person's only that person; others the
 * admins of an organization that it is in, and its creator while it is in none or they are still a member there.
 * Administrators manage everything, which is for the caller of this to say.
 */
export const isManagedBy = (r: string, user: string, resource: string): string => `CASE
  WHEN ${r}.user_id IS NOT NULL THEN ${r}.user_id = ${user}
  WHEN EXISTS (SELECT 1 FROM organization_resources home WHERE home.resource_id = ${r}.id)
    THEN EXISTS (SELECT 1 FROM organization_resources home JOIN organization_resources mine USING (organization_id)
                 WHERE home.resource_id = ${r}.id AND mine.user_id = ${user}
                   AND (role_rank(mine.role) >= 3 OR ${r}.created_by = ${resource}))
  ELSE ${r}.created_by = ${resource} END`;
