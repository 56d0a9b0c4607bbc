import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells tiers of organizations that require a second factor. */
export class TiersToldByOrganizations1763700004492 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER organizations_tell_tiers AFTER INSERT OR UPDATE OF second_factor ON organizations FOR EACH ROW
      WHEN (NEW.second_factor = 'required') EXECUTE FUNCTION tell_tiers_of_second_factor()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER organizations_tell_tiers ON organizations');
  }
}
