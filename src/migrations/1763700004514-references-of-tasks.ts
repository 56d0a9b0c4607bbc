import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tasks know whether a text has named them, and forget what their descriptions named. */
export class ReferencesOfTasks1763700004514 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tasks ADD COLUMN has_references boolean NOT NULL DEFAULT false');
    await runner.query(`CREATE TRIGGER tasks_forget_references AFTER UPDATE OF description ON tasks FOR EACH ROW
        WHEN (OLD.description IS DISTINCT FROM NEW.description AND OLD.description ~ '[A-Z0-9]-[1-9]') EXECUTE FUNCTION forget_references()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tasks_forget_references ON tasks');
    await runner.query('ALTER TABLE tasks DROP COLUMN has_references');
  }
}
