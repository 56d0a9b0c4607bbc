import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms, without blocking writes, that the hours of tasks are the sums of their time entries. */
export class CheckedMinutes1763700004362 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_logged_minutes_check`);
  }

  async down(): Promise<void> {
    // The constraint goes with its column.
  }
}
