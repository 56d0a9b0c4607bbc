/** SQL for the ids of the views that are a person's own. */
const ownViews = (user: string): string =>
  `SELECT x.id FROM entities x WHERE x.owner_user_id = ${user} AND x.kind = 'view'`;

/** SQL that deletes the views that are a person's own, with what the person wrote into them; returns their ids. */
export const eraseOwnViews = (user: string): string =>
  `WITH erased AS (UPDATE views SET name = 'Deleted view', query = '{}', columns = '{}', group_by = NULL,
       is_default = false, deleted_at = coalesce(deleted_at, now()) WHERE id IN (${ownViews(user)}) RETURNING id)
   UPDATE entities x SET title = 'Deleted view', deleted_at = coalesce(x.deleted_at, now())
   FROM erased WHERE x.id = erased.id RETURNING x.id`;
