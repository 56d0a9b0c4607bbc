/**
 * SQL: whether the user, who is that resource, manages resource `r` (spec 02): a user's only that user; others the admins
 * of its home organization, or its creator while it has none. Administrators manage everything, which is for the caller
 * of this to say.
 */
export const isManagedBy = (r: string, user: string, resource: string): string => `CASE
  WHEN ${r}.user_id IS NOT NULL THEN ${r}.user_id = ${user}
  WHEN ${r}.organization_id IS NOT NULL
    THEN EXISTS (SELECT 1 FROM organization_resources mine
                 WHERE mine.organization_id = ${r}.organization_id AND mine.user_id = ${user} AND role_rank(mine.role) >= 3)
  ELSE ${r}.created_by = ${resource} END`;
