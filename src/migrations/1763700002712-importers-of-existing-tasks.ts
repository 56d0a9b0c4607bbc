import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fills the importers of tasks that were imported under the name of another author, as far as the events tell them. */
export class ImportersOfExistingTasks1763700002712 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE tasks t SET imported_by = v.actor_id
       FROM events v
       WHERE t.id IN (SELECT s.task_id FROM task_statuses s WHERE s.imported)
         AND v.entity_id = t.id AND v.type = 'task.created' AND v.actor_id <> t.creator_id`,
    );
  }

  async down(): Promise<void> {}
}
