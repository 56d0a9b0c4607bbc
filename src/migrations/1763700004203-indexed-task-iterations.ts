import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms, without blocking writes, that tasks are in iterations of their endeavours, and finds those of an iteration. */
export class IndexedTaskIterations1763700004203 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_iteration_id_endeavour_id_fkey`);
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS tasks_iteration_id_idx`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY tasks_iteration_id_idx ON tasks (iteration_id) WHERE iteration_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX tasks_iteration_id_idx`);
  }
}
