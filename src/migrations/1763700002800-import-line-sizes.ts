import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the sizes of the lines of imports, so that a batch is chosen without reading the lines after it. */
export class ImportLineSizes1763700002800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_lines ADD COLUMN size integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_lines DROP COLUMN size');
  }
}
