import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the tasks whose ranks a job makes shorter, without blocking writes. */
export class LongRanksOfTasks1763700004410 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS tasks_long_rank_idx`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY tasks_long_rank_idx ON tasks (endeavour_id) WHERE char_length(rank) > 64`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX tasks_long_rank_idx`);
  }
}
