import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rule that wrote each of the events. The default is stable, so that the table is not rewritten. */
export class RulesOfEvents1763700004451 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE events ADD rule_id text DEFAULT acting_rule()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE events DROP COLUMN rule_id`);
  }
}
