import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The iterations of demands. */
export class DemandIterations1763700004202 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE demands ADD iteration_id text,
      ADD CONSTRAINT demands_iteration_id_endeavour_id_fkey FOREIGN KEY (iteration_id, endeavour_id)
        REFERENCES iterations(id, endeavour_id) NOT VALID`);
    await runner.query(`CREATE TRIGGER demands_enter_iteration BEFORE INSERT ON demands FOR EACH ROW
      WHEN (NEW.iteration_id IS NOT NULL) EXECUTE FUNCTION keep_iteration()`);
    await runner.query(`CREATE TRIGGER demands_keep_iteration BEFORE UPDATE OF iteration_id, endeavour_id ON demands FOR EACH ROW
      WHEN (NEW.iteration_id IS DISTINCT FROM OLD.iteration_id OR NEW.endeavour_id <> OLD.endeavour_id)
      EXECUTE FUNCTION keep_iteration()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER demands_keep_iteration ON demands`);
    await runner.query(`DROP TRIGGER demands_enter_iteration ON demands`);
    await runner.query(`ALTER TABLE demands DROP COLUMN iteration_id`);
  }
}
