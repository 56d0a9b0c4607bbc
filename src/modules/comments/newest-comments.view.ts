/**
 * SQL for `FROM`: the newest comments on an entity, at most that many, without those that are deleted, show
 * nothing or were written by a rule.
 */
export const newestComments = (entity: string, count: number): string =>
  `(SELECT n.id, n.created_at FROM comments n WHERE n.entity_id = ${entity} AND n.deleted_at IS NULL AND n.shows_text AND n.rule_id IS NULL
    ORDER BY n.created_at DESC, n.id DESC LIMIT ${count})`;
