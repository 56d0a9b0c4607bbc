import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `SELECT task_id, created_by AS resource_id, created_at FROM artifacts
  UNION ALL SELECT task_id, posted_by, created_at FROM dod_results`;

const contributions = (select: string): string => `CREATE OR REPLACE VIEW task_contributions AS ${select}`;

const ALL_CONTRIBUTIONS = `${TABLES}
  UNION ALL SELECT entity_id, author_id, created_at FROM comments WHERE entity_type = 'task'
  UNION ALL SELECT entity_id, author_id, edited_at FROM comments WHERE entity_type = 'task' AND edited_at IS NOT NULL
  UNION ALL SELECT target_entity_id, created_by, created_at FROM relations
    WHERE target_entity_type = 'task' AND source_entity_type = 'artifact'
  UNION ALL SELECT source_entity_id, created_by, created_at FROM relations
    WHERE source_entity_type = 'task' AND target_entity_type = 'artifact'`;

const wrote = (condition: string): string => `CREATE OR REPLACE FUNCTION keep_task_assignment() RETURNS trigger
  LANGUAGE plpgsql AS $$
   DECLARE stays boolean := TG_OP = 'UPDATE' AND NEW.assignee_id IS NOT DISTINCT FROM OLD.assignee_id;
   BEGIN
     IF TG_OP = 'INSERT' THEN
       INSERT INTO task_assignments (task_id, assignee_id, assigned_by) VALUES (NEW.id, NEW.assignee_id, NEW.creator_id);
       RETURN NULL;
     END IF;
     IF NEW.updated_by IS NOT NULL AND (${condition}) THEN
       UPDATE task_assignments SET writers = writers || NEW.updated_by
       WHERE task_id = NEW.id AND ended_at IS NULL AND NEW.updated_by <> ALL (writers);
     END IF;
     IF stays THEN RETURN NULL; END IF;
     UPDATE task_assignments SET ended_at = clock_timestamp(), ended_by = NEW.updated_by
     WHERE task_id = NEW.id AND ended_at IS NULL;
     IF NEW.assignee_id IS NOT NULL THEN
       INSERT INTO task_assignments (task_id, assignee_id, assigned_by) VALUES (NEW.id, NEW.assignee_id, NEW.updated_by);
     END IF;
     RETURN NULL;
   END $$`;

/** SQL: whether the content, metadata or hours change, apart from the hours that closing a task calculates. */
const WRITES = `(NEW.title, NEW.description, NEW.metadata, NEW.estimate, NEW.attested_at) IS DISTINCT FROM
    (OLD.title, OLD.description, OLD.metadata, OLD.estimate, OLD.attested_at)
  OR (NEW.actual IS DISTINCT FROM OLD.actual AND NOT (OLD.actual IS NULL AND OLD.status <> 'done' AND NEW.status = 'done'))`;

const WROTE_BEFORE = `stays OR (NEW.title, NEW.description, NEW.metadata, NEW.status, NEW.endeavour_id,
    NEW.demand_id, NEW.owner_id, NEW.estimate, NEW.actual, NEW.due_date) IS DISTINCT FROM
  (OLD.title, OLD.description, OLD.metadata, OLD.status, OLD.endeavour_id,
    OLD.demand_id, OLD.owner_id, OLD.estimate, OLD.actual, OLD.due_date)`;

/**
 * Stores who imported a task, and counts as writing to a task exactly: its content, metadata and hours, results and
 * reports, and comments. Who took or gave up an assignment is in the assignment itself.
 */
export class TaskAuthors1763700002711 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE tasks ADD COLUMN imported_by text`,
      contributions(ALL_CONTRIBUTIONS),
      wrote(WRITES),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [wrote(WROTE_BEFORE), contributions(TABLES), `ALTER TABLE tasks DROP COLUMN imported_by`]) {
      await runner.query(statement);
    }
  }
}
