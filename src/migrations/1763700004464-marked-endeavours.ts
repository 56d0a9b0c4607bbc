import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the endeavours in which tasks have parts already; the triggers of the migrations before mark all others. */
export class MarkedEndeavours1763700004464 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE endeavours SET has_parts = true WHERE NOT has_parts AND id IN (
      SELECT t.endeavour_id FROM relations l JOIN tasks t ON t.id = l.source_entity_id
      WHERE l.relationship_type = 'parent_of' AND l.source_entity_type = 'task' AND l.target_entity_type = 'task'
        AND l.deleted_at IS NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE endeavours SET has_parts = false');
  }
}
