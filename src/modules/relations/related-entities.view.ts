/** SQL for `IN (...)`: the entities that are or were related to an entity, in either direction. */
export const everRelatedTo = (entity: string): string =>
  `SELECT l.source_entity_id FROM relations l WHERE l.target_entity_id = ${entity}
   UNION SELECT l.target_entity_id FROM relations l WHERE l.source_entity_id = ${entity}`;

const connects = ([one, other]: readonly [string, string]): string =>
  `((l.source_entity_id, l.target_entity_id) = (${one}, ${other}) OR (l.source_entity_id, l.target_entity_id) = (${other}, ${one}))`;

/** SQL: whether a relation that a member of the endeavour made connects a task of it and an artifact. */
export const isTiedIn = (endeavour: string, ends: readonly [task: string, artifact: string]): string =>
  `EXISTS (SELECT 1 FROM relations l WHERE l.tied_in = ${endeavour} AND l.deleted_at IS NULL AND ${connects(ends)})`;

/** SQL: whether a relation has ever tied the artifact to the task; each was made by a member of its endeavour then. */
export const wasEverTied = (ends: readonly [task: string, artifact: string]): string =>
  `EXISTS (SELECT 1 FROM relations l WHERE l.tied_in IS NOT NULL AND ${connects(ends)})`;
