import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the closings of existing tasks that were closed again; changes no other rows. */
export class ClosingsOfExistingTasks1763700002721 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE task_statuses s SET closed_again_at = closing.again
       FROM (SELECT c.id, lead(c.entered_at) OVER (PARTITION BY c.task_id ORDER BY c.id) AS again FROM task_statuses c
         WHERE c.status IN ('done', 'canceled')) closing
       WHERE s.id = closing.id AND closing.again IS NOT NULL AND s.closed_again_at IS NULL`,
    );
  }

  async down(): Promise<void> {}
}
