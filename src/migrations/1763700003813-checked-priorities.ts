import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms what holds for all tasks, without blocking writes, and names the demands whose tasks a job gives their priority. */
export class CheckedPriorities1763700003813 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_points_check`);
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_priority_check`);
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_effective_priority_check`);
    await runner.query(`INSERT INTO priority_renewals (demand_id) SELECT id FROM demands WHERE priority <> 'medium'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM priority_renewals`);
  }
}
