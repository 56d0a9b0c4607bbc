import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What other features see of tasks has their stages. */
export class StatesWithStages1763700004352 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE OR REPLACE VIEW task_states AS SELECT id, endeavour_id, demand_id, status, blocked_by_count, stage FROM tasks`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW task_states`);
    await runner.query(
      `CREATE VIEW task_states AS SELECT id, endeavour_id, demand_id, status, blocked_by_count FROM tasks`,
    );
  }
}
