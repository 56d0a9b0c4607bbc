import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms, without blocking writes, the first days of tasks, and finds those that serve a goal. */
export class IndexedTaskGoals1763700004473 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_start_date_check`);
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS tasks_goal_id_idx`);
    await runner.query(`CREATE INDEX CONCURRENTLY tasks_goal_id_idx ON tasks (goal_id) WHERE goal_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX tasks_goal_id_idx`);
  }
}
