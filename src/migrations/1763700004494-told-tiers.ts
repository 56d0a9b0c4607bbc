import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells tiers what organizations ask already; the triggers of the migrations before tell the rest. */
export class ToldTiers1763700004494 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE tiers SET
      may_ask_second_factor = may_ask_second_factor OR EXISTS (SELECT FROM organizations o WHERE o.second_factor = 'required'),
      may_ask_provider = may_ask_provider OR EXISTS (SELECT FROM identity_providers p WHERE p.required)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE tiers SET may_ask_second_factor = false, may_ask_provider = false');
  }
}
