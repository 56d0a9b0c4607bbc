import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms, without blocking writes, the first days of demands, and finds those that serve a goal. */
export class IndexedDemandGoals1763700004474 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE demands VALIDATE CONSTRAINT demands_start_date_check`);
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS demands_goal_id_idx`);
    await runner.query(`CREATE INDEX CONCURRENTLY demands_goal_id_idx ON demands (goal_id) WHERE goal_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX demands_goal_id_idx`);
  }
}
