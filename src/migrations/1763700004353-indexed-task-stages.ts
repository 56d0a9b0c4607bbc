import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms the stages of endeavours, and finds the tasks in a stage, without blocking writes. */
export class IndexedTaskStages1763700004353 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE endeavours VALIDATE CONSTRAINT endeavours_stages_check`);
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS tasks_stage_idx`);
    await runner.query(`CREATE INDEX CONCURRENTLY tasks_stage_idx ON tasks (stage) WHERE stage IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX tasks_stage_idx`);
  }
}
