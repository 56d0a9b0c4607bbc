import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What sessions have proved. */
export class FactorsOfSessions1763700004001 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE sessions ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false, ADD COLUMN proved_to text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN has_second_factor, DROP COLUMN proved_to');
  }
}
