import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `due_date IS NOT NULL AND status IN ('planned', 'active')`;

/** Positions in due dates that distinguish tasks with the same due date, so that notifications are created in batches. */
export class DuePositions1763700002530 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE notification_feed ADD COLUMN due_task_id text NOT NULL DEFAULT ''`,
      `DROP INDEX tasks_due_idx`,
      `CREATE INDEX tasks_due_idx ON tasks (due_date, id) WHERE ${OPEN}`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP INDEX tasks_due_idx`,
      `CREATE INDEX tasks_due_idx ON tasks (due_date) WHERE ${OPEN}`,
      `ALTER TABLE notification_feed DROP COLUMN due_task_id`,
    ]) {
      await runner.query(statement);
    }
  }
}
