import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations that require a second factor. */
export class SecondFactorRules1763700004000 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE organizations ADD COLUMN second_factor text NOT NULL DEFAULT 'optional',
         ADD CONSTRAINT organizations_second_factor_check CHECK (second_factor IN ('optional', 'required'))`,
    );
    await runner.query(
      `CREATE INDEX organizations_second_factor_idx ON organizations (id) WHERE second_factor = 'required'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX organizations_second_factor_idx');
    await runner.query('ALTER TABLE organizations DROP COLUMN second_factor');
  }
}
