import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The goals and the first days of tasks. */
export class TaskGoalsAndStarts1763700004471 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ADD goal_id text, ADD start_date date,
      ADD CONSTRAINT tasks_start_date_check CHECK (start_date
        BETWEEN '1970-01-01' AND least('9999-12-31', (due_date AT TIME ZONE 'UTC')::date + 1)) NOT VALID`);
    await runner.query(`CREATE TRIGGER tasks_keep_first_goal BEFORE INSERT ON tasks FOR EACH ROW
      WHEN (NEW.goal_id IS NOT NULL) EXECUTE FUNCTION keep_goal()`);
    await runner.query(`CREATE TRIGGER tasks_keep_goal BEFORE UPDATE OF goal_id, endeavour_id ON tasks FOR EACH ROW
      WHEN (NEW.goal_id IS NOT NULL
        AND (NEW.goal_id IS DISTINCT FROM OLD.goal_id OR NEW.endeavour_id <> OLD.endeavour_id))
      EXECUTE FUNCTION keep_goal()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_keep_goal ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_first_goal ON tasks`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN goal_id, DROP COLUMN start_date`);
  }
}
