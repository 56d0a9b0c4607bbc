import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores with a relation between a task and an artifact the endeavour of the task, if its creator was a member there: a
 * report that did not pass stays tied to the task, wherever the task moves. Of existing relations, those count that were
 * made in the present endeavour of the task.
 */
export class TiesOfReports1763700002731 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE relations ADD COLUMN tied_in text`,
      `UPDATE relations l SET tied_in = l.made_in FROM tasks t
       WHERE (l.source_entity_type, l.target_entity_type) IN (('task', 'artifact'), ('artifact', 'task'))
         AND t.id = CASE l.source_entity_type WHEN 'task' THEN l.source_entity_id ELSE l.target_entity_id END
         AND (l.made_in = t.endeavour_id OR l.source_entity_type = 'task')`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE relations DROP COLUMN tied_in');
  }
}
