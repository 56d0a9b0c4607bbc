import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What other features see of the time that was spent. */
export class LoggedTime1763700004363 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE VIEW logged_time AS SELECT task_id, endeavour_id, resource_id, day, minutes FROM time_entries
      WHERE deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW logged_time`);
  }
}
