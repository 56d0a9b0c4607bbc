import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rule that wrote each of the comments. The default is stable, so that the table is not rewritten. */
export class RulesOfComments1763700004452 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE comments ADD rule_id text DEFAULT acting_rule()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE comments DROP COLUMN rule_id`);
  }
}
