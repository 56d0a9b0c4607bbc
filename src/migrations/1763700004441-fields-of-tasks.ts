import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the values of declared fields of tasks. */
export class FieldsOfTasks1763700004441 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER tasks_forget_field_values AFTER DELETE ON tasks FOR EACH ROW
      WHEN (OLD.metadata <> '{}') EXECUTE FUNCTION keep_field_values('task')`);
    await runner.query(`CREATE TRIGGER tasks_keep_field_values AFTER UPDATE OF metadata, endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata OR OLD.endeavour_id <> NEW.endeavour_id)
      EXECUTE FUNCTION keep_field_values('task')`);
    await runner.query(`CREATE TRIGGER tasks_keep_new_field_values AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION keep_field_values('task')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_keep_new_field_values ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_field_values ON tasks`);
    await runner.query(`DROP TRIGGER tasks_forget_field_values ON tasks`);
  }
}
