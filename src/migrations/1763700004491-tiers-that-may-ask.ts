import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets tiers know what organizations ask. */
export class TiersThatMayAsk1763700004491 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tiers ADD COLUMN may_ask_second_factor boolean NOT NULL DEFAULT false,
      ADD COLUMN may_ask_provider boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE FUNCTION tell_tiers_of_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tiers SET may_ask_second_factor = true WHERE NOT may_ask_second_factor;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION tell_tiers_of_provider() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tiers SET may_ask_provider = true WHERE NOT may_ask_provider;
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION tell_tiers_of_second_factor');
    await runner.query('DROP FUNCTION tell_tiers_of_provider');
    await runner.query('ALTER TABLE tiers DROP COLUMN may_ask_second_factor, DROP COLUMN may_ask_provider');
  }
}
