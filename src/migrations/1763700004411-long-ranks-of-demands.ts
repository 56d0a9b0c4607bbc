import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the demands whose ranks a job makes shorter, without blocking writes. */
export class LongRanksOfDemands1763700004411 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS demands_long_rank_idx`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY demands_long_rank_idx ON demands (endeavour_id) WHERE char_length(rank) > 64`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX demands_long_rank_idx`);
  }
}
