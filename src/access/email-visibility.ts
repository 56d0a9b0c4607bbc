/**
 * SQL: whether the reader `:me` is shown the e-mail address of a user (spec 02): of themselves, as an administrator, and as
 * an admin of an organization that the user is a member of.
 */
export const showsEmailOf = (user: string): string => `(${user} = :me
  OR EXISTS (SELECT 1 FROM users reader WHERE reader.id = :me AND reader.is_admin)
  OR EXISTS (SELECT 1 FROM organization_resources theirs JOIN organization_resources mine USING (organization_id)
             WHERE theirs.user_id = ${user} AND mine.user_id = :me AND role_rank(mine.role) >= 3))`;
