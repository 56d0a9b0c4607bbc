import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tasks that a bulk operation could not change. */
export class BulkTasks1763700001710 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE bulk_task_refusals (
      operation_id text NOT NULL,
      task_id text NOT NULL,
      code text NOT NULL,
      reason text,
      message text NOT NULL,
      CONSTRAINT bulk_task_refusals_pkey PRIMARY KEY (operation_id, task_id),
      CONSTRAINT bulk_task_refusals_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id) ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE bulk_task_refusals`);
  }
}
