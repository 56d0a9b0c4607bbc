import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `('planned', 'active')`;

const edges = (type: string, task: string, blocker: string): string => `
  SELECT l.id AS relation_id, l.${task}_entity_id AS task_id, l.${blocker}_entity_id AS blocker_id FROM relations l
  WHERE l.relationship_type = '${type}' AND l.source_entity_type = 'task' AND l.target_entity_type = 'task'
    AND l.deleted_at IS NULL`;

/**
 * SQL: whether the task is in that endeavour. Prevents the use of an index, because tasks are looked up from their
 * relations; a plan that starts from the endeavour would read all of its tasks.
 */
const isIn = (endeavour: string): string => `(t.endeavour_id = ${endeavour}) IS TRUE`;

/** Runs only after the dependent task is locked, so that concurrent changes of its count wait. */
const RECOUNT = `UPDATE tasks t SET blocked_by_count = count_blockers(t.id, t.endeavour_id)
  WHERE t.id = dependent AND t.blocked_by_count <> count_blockers(t.id, t.endeavour_id)`;

const shift = (endeavour: string, by: string): string => `UPDATE tasks t SET blocked_by_count = t.blocked_by_count ${by}
  WHERE ${isIn(endeavour)} AND t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = NEW.id))`;

const KEEP_ASSIGNMENTS = `CREATE TRIGGER tasks_keep_assignments AFTER UPDATE ON tasks FOR EACH ROW`;
const IS_ASSIGNED = `(OLD.assignee_id IS NOT NULL OR NEW.assignee_id IS NOT NULL)`;

/**
 * Stores in each task the number of open tasks of its endeavour that it waits for. Triggers count, because many
 * operations close tasks: patches, archiving, restoring, imports. A new count does not change revision and updated_at
 * of the task.
 */
export class Dependencies1763700001040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE VIEW task_dependencies AS ${edges('depends_on', 'source', 'target')}
       UNION ALL ${edges('blocks', 'target', 'source')}`,
      `CREATE FUNCTION count_blockers(task text, endeavour text) RETURNS integer LANGUAGE sql STABLE AS $$
         SELECT count(*)::integer FROM tasks t
         WHERE t.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = task))
           AND ${isIn('endeavour')} AND t.status IN ${OPEN} $$`,
      `ALTER TABLE tasks ADD COLUMN blocked_by_count integer NOT NULL DEFAULT 0`,
      // A change of the count alone is not work on the task, and must not be recorded in its assignment.
      `DROP TRIGGER tasks_keep_assignments ON tasks`,
      `${KEEP_ASSIGNMENTS} WHEN (${IS_ASSIGNED}
         AND (OLD.blocked_by_count = NEW.blocked_by_count OR OLD.revision <> NEW.revision))
         EXECUTE FUNCTION keep_task_assignment()`,
      `UPDATE tasks t SET blocked_by_count = waiting.blockers
       FROM (SELECT d.task_id, count(DISTINCT b.id)::integer AS blockers
         FROM task_dependencies d JOIN tasks own ON own.id = d.task_id JOIN tasks b ON b.id = d.blocker_id
         WHERE b.endeavour_id = own.endeavour_id AND b.status IN ${OPEN} GROUP BY d.task_id) waiting
       WHERE t.id = waiting.task_id`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_blocked_by_count_check CHECK (blocked_by_count >= 0)`,
      `CREATE INDEX tasks_blocked_idx ON tasks (endeavour_id, created_at, id) WHERE blocked_by_count > 0`,
      `CREATE INDEX tasks_ready_idx ON tasks (endeavour_id, created_at, id) WHERE status = 'planned' AND blocked_by_count = 0`,
      `CREATE FUNCTION count_own_blockers() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         NEW.blocked_by_count := count_blockers(NEW.id, NEW.endeavour_id);
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER tasks_count_own_blockers BEFORE UPDATE OF endeavour_id ON tasks FOR EACH ROW
         WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION count_own_blockers()`,
      `CREATE FUNCTION count_for_dependents() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF OLD.status IN ${OPEN} THEN ${shift('OLD.endeavour_id', '- 1')}; END IF;
         IF NEW.status IN ${OPEN} THEN ${shift('NEW.endeavour_id', '+ 1')}; END IF;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER tasks_count_for_dependents AFTER UPDATE OF status, endeavour_id ON tasks FOR EACH ROW
         WHEN ((OLD.status IN ${OPEN}) <> (NEW.status IN ${OPEN}) OR OLD.endeavour_id <> NEW.endeavour_id)
         EXECUTE FUNCTION count_for_dependents()`,
      `CREATE FUNCTION count_for_relation() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         edge relations := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
         dependent text := CASE edge.relationship_type WHEN 'blocks' THEN edge.target_entity_id ELSE edge.source_entity_id END;
       BEGIN
         PERFORM 1 FROM tasks t WHERE t.id = dependent FOR NO KEY UPDATE;
         ${RECOUNT};
         RETURN NULL;
       END $$`,
      ...['INSERT', 'UPDATE OF deleted_at', 'DELETE'].map((event) => {
        const [word] = event.toLowerCase().split(' ');
        const edge = word === 'delete' ? 'OLD' : 'NEW';
        return `CREATE TRIGGER relations_count_on_${word} AFTER ${event} ON relations FOR EACH ROW
          WHEN (${edge}.relationship_type IN ('depends_on', 'blocks') AND ${edge}.source_entity_type = 'task'
            AND ${edge}.target_entity_type = 'task') EXECUTE FUNCTION count_for_relation()`;
      }),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...['insert', 'update', 'delete'].map((word) => `DROP TRIGGER relations_count_on_${word} ON relations`),
      `DROP FUNCTION count_for_relation`,
      `DROP TRIGGER tasks_count_for_dependents ON tasks`,
      `DROP FUNCTION count_for_dependents`,
      `DROP TRIGGER tasks_count_own_blockers ON tasks`,
      `DROP FUNCTION count_own_blockers`,
      `DROP TRIGGER tasks_keep_assignments ON tasks`,
      `${KEEP_ASSIGNMENTS} WHEN ${IS_ASSIGNED} EXECUTE FUNCTION keep_task_assignment()`,
      `ALTER TABLE tasks DROP COLUMN blocked_by_count`,
      `DROP FUNCTION count_blockers`,
      `DROP VIEW task_dependencies`,
    ]) {
      await runner.query(statement);
    }
  }
}
