import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Shows keys, and lets the job also number what clients created since the first of these migrations. */
export class WorkNumbering1763700003804 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE VIEW work_keys AS
      SELECT t.id AS entity_id, e.key || '-' || t.number AS key FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
      UNION ALL
      SELECT d.id, e.key || '-' || d.number FROM demands d JOIN endeavours e ON e.id = d.endeavour_id`);
    // Nothing is kept for endeavours that are newer than the first of these migrations: their work gets the next numbers.
    await runner.query(
      `INSERT INTO unnumbered_endeavours (endeavour_id) SELECT id FROM endeavours ON CONFLICT DO NOTHING`,
    );
    await runner.query(`CREATE TRIGGER endeavours_forget_former_numbers BEFORE DELETE ON endeavours FOR EACH ROW
      EXECUTE FUNCTION forget_former_numbers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER endeavours_forget_former_numbers ON endeavours`);
    await runner.query(`DROP VIEW work_keys`);
  }
}
