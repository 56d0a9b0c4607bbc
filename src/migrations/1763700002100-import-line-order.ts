import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for the next lines of a section, and one for the lines of a section with a given key. The second combines
 * section and key in one expression, so that the planner cannot confuse the two: there are no statistics about lines
 * that were just stored, and without them the wrong index looks equally good.
 */
export class ImportLineOrder1763700002100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP INDEX import_lines_import_id_section_key_idx`,
      `CREATE INDEX import_lines_import_id_section_number_idx ON import_lines (import_id, section, number)`,
      `CREATE INDEX import_lines_name_idx ON import_lines (import_id, (section || ' ' || key), number)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP INDEX import_lines_import_id_section_number_idx`,
      `DROP INDEX import_lines_name_idx`,
      `CREATE INDEX import_lines_import_id_section_key_idx ON import_lines (import_id, section, key)`,
    ]) {
      await runner.query(statement);
    }
  }
}
