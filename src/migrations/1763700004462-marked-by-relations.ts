import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the endeavours of tasks that get parts. */
export class MarkedByRelations1763700004462 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER relations_mark_parts AFTER INSERT ON relations FOR EACH ROW
      WHEN (NEW.relationship_type = 'parent_of' AND NEW.source_entity_type = 'task'
        AND NEW.target_entity_type = 'task') EXECUTE FUNCTION mark_endeavour_of_parts()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER relations_mark_parts ON relations');
  }
}
