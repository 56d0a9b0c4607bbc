import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index for the list of done tasks whose approved content has changed. */
export class ChangedTasks1763700002702 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX tasks_changed_idx ON tasks (endeavour_id, created_at, id) WHERE dod_result = 'changed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tasks_changed_idx');
  }
}
