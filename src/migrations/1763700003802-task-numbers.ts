import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers new tasks, also those of replicas of the previous release. */
export class TaskNumbers1763700003802 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ADD number integer, ADD former_numbers jsonb`);
    await runner.query(
      `CREATE TRIGGER tasks_number_new BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION number_new_work()`,
    );
    await runner.query(`CREATE TRIGGER tasks_number_moved BEFORE UPDATE OF endeavour_id ON tasks FOR EACH ROW
        WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION number_moved_work()`);
    await runner.query(
      `CREATE TRIGGER tasks_release_numbers AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION release_numbers()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_release_numbers ON tasks`);
    await runner.query(`DROP TRIGGER tasks_number_moved ON tasks`);
    await runner.query(`DROP TRIGGER tasks_number_new ON tasks`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN former_numbers, DROP COLUMN number`);
  }
}
