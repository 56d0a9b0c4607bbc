/** SQL for `IN (...)`: the entities that are or were related to an entity, in either direction. */
export const everRelatedTo = (entity: string): string =>
  `SELECT l.source_entity_id FROM relations l WHERE l.target_entity_id = ${entity}
   UNION SELECT l.target_entity_id FROM relations l WHERE l.source_entity_id = ${entity}`;

/**
 * SQL: whether a relation that was created in the endeavour connects the entities, in either direction.
 *
 * @param includeDeleted - whether a relation that was deleted since counts
 */
export const isRelatedIn = (
  endeavour: string,
  [one, other]: readonly [string, string],
  { includeDeleted }: { includeDeleted: boolean },
): string => `EXISTS (SELECT 1 FROM relations l WHERE l.made_in = ${endeavour}${includeDeleted ? '' : ' AND l.deleted_at IS NULL'} AND (
    (l.source_entity_id, l.target_entity_id) = (${one}, ${other}) OR (l.source_entity_id, l.target_entity_id) = (${other}, ${one})))`;
