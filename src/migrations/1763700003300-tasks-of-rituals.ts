import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A ritual can carry a task that each run makes. Approvals of a ritual cover this task. */
export class TasksOfRituals1763700003300 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE rituals ADD COLUMN task jsonb, ADD COLUMN task_created_by text, ADD COLUMN task_changed_by text,
         ADD CONSTRAINT rituals_task_check CHECK (jsonb_typeof(task) = 'object') NOT VALID,
         ADD CONSTRAINT rituals_task_created_by_check
           CHECK ((task IS NULL) = (task_created_by IS NULL) AND (task IS NULL) = (task_changed_by IS NULL)) NOT VALID`,
      'ALTER TABLE rituals VALIDATE CONSTRAINT rituals_task_check',
      'ALTER TABLE rituals VALIDATE CONSTRAINT rituals_task_created_by_check',
      `CREATE TRIGGER rituals_keep_task_changes BEFORE UPDATE ON rituals FOR EACH ROW
         WHEN (OLD.task IS DISTINCT FROM NEW.task) EXECUTE FUNCTION keep_content_changes()`,
      `ALTER TABLE ritual_runs ADD COLUMN task_id text, ADD COLUMN task_errors jsonb NOT NULL DEFAULT '[]',
         ADD CONSTRAINT ritual_runs_task_errors_check CHECK (jsonb_typeof(task_errors) = 'array') NOT VALID,
         ADD CONSTRAINT ritual_runs_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks (id) NOT VALID`,
      'ALTER TABLE ritual_runs VALIDATE CONSTRAINT ritual_runs_task_errors_check',
      'ALTER TABLE ritual_runs VALIDATE CONSTRAINT ritual_runs_task_id_fkey',
      'CREATE UNIQUE INDEX ritual_runs_task_id_idx ON ritual_runs (task_id) WHERE task_id IS NOT NULL',
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'ALTER TABLE ritual_runs DROP COLUMN task_id, DROP COLUMN task_errors',
      'DROP TRIGGER rituals_keep_task_changes ON rituals',
      'ALTER TABLE rituals DROP COLUMN task, DROP COLUMN task_created_by, DROP COLUMN task_changed_by',
    ]) {
      await runner.query(statement);
    }
  }
}
