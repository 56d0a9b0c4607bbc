import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** SQL: the relations of `touching` by which a task is a part of another one. */
const parts = (
  touching: string,
): string => `SELECT 1 FROM relations l WHERE ${touching} AND l.relationship_type = 'parent_of'
        AND l.source_entity_type = 'task' AND l.target_entity_type = 'task' AND l.deleted_at IS NULL`;

/** An endeavour knows whether tasks there have parts; it is never told of the last one that ends. */
export const TASK_PART_OBJECTS: DatabaseObjects = {
  functions: [
    /** Marks the endeavour of a task that gets its first part. */
    `CREATE FUNCTION mark_endeavour_of_parts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE endeavours e SET has_parts = true FROM tasks t
        WHERE t.id = NEW.source_entity_id AND e.id = t.endeavour_id AND NOT e.has_parts;
        RETURN NULL;
      END $$`,
    /** Marks the endeavour to which a task with parts, or a part, moves. */
    `CREATE FUNCTION mark_endeavour_of_moved_parts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE endeavours e SET has_parts = true WHERE e.id = NEW.endeavour_id AND NOT e.has_parts
          AND (EXISTS (${parts('l.source_entity_id = NEW.id')})
            OR EXISTS (${parts('l.target_entity_id = NEW.id')}));
        RETURN NULL;
      END $$`,
  ],
  views: [],
  triggers: [
    `CREATE TRIGGER relations_mark_parts AFTER INSERT ON relations FOR EACH ROW
      WHEN (NEW.relationship_type = 'parent_of' AND NEW.source_entity_type = 'task'
        AND NEW.target_entity_type = 'task') EXECUTE FUNCTION mark_endeavour_of_parts()`,
    `CREATE TRIGGER tasks_mark_parts AFTER UPDATE OF endeavour_id ON tasks FOR EACH ROW
      WHEN (NEW.endeavour_id IS DISTINCT FROM OLD.endeavour_id) EXECUTE FUNCTION mark_endeavour_of_moved_parts()`,
  ],
};
