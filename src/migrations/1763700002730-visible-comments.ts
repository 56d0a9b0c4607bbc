import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores of each comment whether a reader sees anything of it. The service decides, and what is stored counts as visible. */
export class VisibleComments1763700002730 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE comments ADD COLUMN shows_text boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE comments DROP COLUMN shows_text');
  }
}
