import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The iterations of tasks. */
export class TaskIterations1763700004201 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ADD iteration_id text,
      ADD CONSTRAINT tasks_iteration_id_endeavour_id_fkey FOREIGN KEY (iteration_id, endeavour_id)
        REFERENCES iterations(id, endeavour_id) NOT VALID`);
    await runner.query(`CREATE TRIGGER tasks_enter_iteration BEFORE INSERT ON tasks FOR EACH ROW
      WHEN (NEW.iteration_id IS NOT NULL) EXECUTE FUNCTION keep_iteration()`);
    await runner.query(`CREATE TRIGGER tasks_keep_iteration BEFORE UPDATE OF iteration_id, endeavour_id ON tasks FOR EACH ROW
      WHEN (NEW.iteration_id IS DISTINCT FROM OLD.iteration_id OR NEW.endeavour_id <> OLD.endeavour_id)
      EXECUTE FUNCTION keep_iteration()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_keep_iteration ON tasks`);
    await runner.query(`DROP TRIGGER tasks_enter_iteration ON tasks`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN iteration_id`);
  }
}
