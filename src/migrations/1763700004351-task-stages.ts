import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The stages in which tasks are. */
export class TaskStages1763700004351 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ADD stage text`);
    await runner.query(
      `CREATE TRIGGER tasks_keep_first_stage BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION keep_stage()`,
    );
    await runner.query(`CREATE TRIGGER tasks_keep_stage BEFORE UPDATE OF status, stage, endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.stage IS DISTINCT FROM NEW.stage OR OLD.endeavour_id <> NEW.endeavour_id)
      EXECUTE FUNCTION keep_stage()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_keep_stage ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_first_stage ON tasks`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN stage`);
  }
}
