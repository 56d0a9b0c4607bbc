import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells tiers of required providers. */
export class TiersToldByProviders1763700004493 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER identity_providers_tell_tiers AFTER INSERT OR UPDATE OF required ON identity_providers FOR EACH ROW
      WHEN (NEW.required) EXECUTE FUNCTION tell_tiers_of_provider()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER identity_providers_tell_tiers ON identity_providers');
  }
}
