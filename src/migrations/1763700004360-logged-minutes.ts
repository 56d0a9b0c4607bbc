import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sum of the time entries of a task. */
export class LoggedMinutes1763700004360 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ADD logged_minutes integer, ADD CONSTRAINT tasks_logged_minutes_check
      CHECK (logged_minutes IS NULL OR (logged_minutes > 0 AND actual = round(logged_minutes / 60.0, 4)::double precision))
      NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks DROP COLUMN logged_minutes`);
  }
}
