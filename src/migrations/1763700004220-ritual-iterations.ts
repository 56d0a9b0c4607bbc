import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The length of the iterations that rituals plan. */
export class RitualIterations1763700004220 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE rituals ADD iteration_days integer,
      ADD CONSTRAINT rituals_iteration_days_check CHECK (iteration_days BETWEEN 1 AND 366)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE rituals DROP COLUMN iteration_days`);
  }
}
