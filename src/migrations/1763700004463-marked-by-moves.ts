import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the endeavours to which tasks with parts, and parts, move. */
export class MarkedByMoves1763700004463 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER tasks_mark_parts AFTER UPDATE OF endeavour_id ON tasks FOR EACH ROW
      WHEN (NEW.endeavour_id IS DISTINCT FROM OLD.endeavour_id) EXECUTE FUNCTION mark_endeavour_of_moved_parts()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tasks_mark_parts ON tasks');
  }
}
