import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms, without blocking writes, that demands are in iterations of their endeavours, and finds those of an iteration. */
export class IndexedDemandIterations1763700004204 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE demands VALIDATE CONSTRAINT demands_iteration_id_endeavour_id_fkey`);
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS demands_iteration_id_idx`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY demands_iteration_id_idx ON demands (iteration_id) WHERE iteration_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX demands_iteration_id_idx`);
  }
}
