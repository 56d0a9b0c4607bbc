import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the sessions that made access tokens had proved. */
export class FactorsOfTokens1763700004002 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE access_tokens ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false, ADD COLUMN proved_to text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_tokens DROP COLUMN has_second_factor, DROP COLUMN proved_to');
  }
}
