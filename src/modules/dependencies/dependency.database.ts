import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** Tasks count the open tasks of their endeavour that they depend on. */
export const DEPENDENCY_OBJECTS: DatabaseObjects = {
  functions: [
    /** The number of open tasks of the endeavour on which a task depends. */
    `CREATE FUNCTION count_blockers(task text, endeavour text) RETURNS integer LANGUAGE sql STABLE AS $$
      SELECT count(*)::integer FROM tasks t
      WHERE t.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = task))
        AND (t.endeavour_id = endeavour) IS TRUE AND t.status IN ('planned', 'active') $$`,
    /** A task that moves is blocked by the tasks of its new endeavour. */
    `CREATE FUNCTION count_own_blockers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.blocked_by_count := count_blockers(NEW.id, NEW.endeavour_id);
        RETURN NEW;
      END $$`,
    /** A task that opens, closes or moves counts for the tasks that depend on it. */
    `CREATE FUNCTION count_for_dependents() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM tasks t
          WHERE ((t.endeavour_id = OLD.endeavour_id) IS TRUE OR (t.endeavour_id = NEW.endeavour_id) IS TRUE)
        AND t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = NEW.id))
        ORDER BY t.id FOR NO KEY UPDATE;
        IF OLD.status IN ('planned', 'active') THEN UPDATE tasks t SET blocked_by_count = t.blocked_by_count - 1
          WHERE (t.endeavour_id = OLD.endeavour_id) IS TRUE AND t.id = ANY(ARRAY(SELECT d.task_id
          FROM task_dependencies d WHERE d.blocker_id = NEW.id)); END IF;
        IF NEW.status IN ('planned', 'active') THEN UPDATE tasks t SET blocked_by_count = t.blocked_by_count + 1
          WHERE (t.endeavour_id = NEW.endeavour_id) IS TRUE AND t.id = ANY(ARRAY(SELECT d.task_id
          FROM task_dependencies d WHERE d.blocker_id = NEW.id)); END IF;
        RETURN NULL;
      END $$`,
    /** A new or deleted dependency counts for the dependent task. */
    `CREATE FUNCTION count_for_relation() RETURNS trigger LANGUAGE plpgsql AS $$
           DECLARE
             edge relations := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
             dependent text := CASE edge.relationship_type WHEN 'blocks' THEN edge.target_entity_id
               ELSE edge.source_entity_id END;
           BEGIN
             PERFORM 1 FROM tasks t WHERE t.id = dependent FOR NO KEY UPDATE;
             UPDATE tasks t SET blocked_by_count = count_blockers(t.id, t.endeavour_id)
      WHERE t.id = dependent AND t.blocked_by_count <> count_blockers(t.id, t.endeavour_id);
             RETURN NULL;
           END $$`,
  ],
  views: [
    /** Which task depends on which: `depends_on`, and `blocks` the other way round. */
    `CREATE VIEW task_dependencies AS
      SELECT l.id AS relation_id, l.source_entity_id AS task_id, l.target_entity_id AS blocker_id FROM relations l
      WHERE l.relationship_type = 'depends_on' AND l.source_entity_type = 'task' AND l.target_entity_type = 'task'
        AND l.deleted_at IS NULL
           UNION ALL
      SELECT l.id AS relation_id, l.target_entity_id AS task_id, l.source_entity_id AS blocker_id FROM relations l
      WHERE l.relationship_type = 'blocks' AND l.source_entity_type = 'task' AND l.target_entity_type = 'task'
        AND l.deleted_at IS NULL`,
  ],
  triggers: [
    `CREATE TRIGGER relations_count_on_delete AFTER DELETE ON relations FOR EACH ROW
      WHEN (OLD.relationship_type IN ('depends_on', 'blocks') AND OLD.source_entity_type = 'task'
        AND OLD.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation()`,
    `CREATE TRIGGER relations_count_on_insert AFTER INSERT ON relations FOR EACH ROW
      WHEN (NEW.relationship_type IN ('depends_on', 'blocks') AND NEW.source_entity_type = 'task'
        AND NEW.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation()`,
    `CREATE TRIGGER relations_count_on_update AFTER UPDATE OF deleted_at ON relations FOR EACH ROW
      WHEN (NEW.relationship_type IN ('depends_on', 'blocks') AND NEW.source_entity_type = 'task'
        AND NEW.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation()`,
    `CREATE TRIGGER tasks_count_for_dependents AFTER UPDATE OF status, endeavour_id ON tasks FOR EACH ROW
      WHEN ((OLD.status IN ('planned', 'active')) <> (NEW.status IN ('planned', 'active'))
        OR OLD.endeavour_id <> NEW.endeavour_id)
      EXECUTE FUNCTION count_for_dependents()`,
    `CREATE TRIGGER tasks_count_own_blockers BEFORE UPDATE OF endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION count_own_blockers()`,
  ],
};
