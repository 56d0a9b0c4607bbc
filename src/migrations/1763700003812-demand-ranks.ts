import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ranks of demands, whose priorities are those of their tasks from now on. */
export class DemandRanks1763700003812 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE demands ADD rank text`);
    await runner.query(`CREATE TRIGGER demands_pass_on_priority AFTER UPDATE OF priority ON demands FOR EACH ROW
      WHEN (OLD.priority <> NEW.priority) EXECUTE FUNCTION pass_on_priority()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER demands_pass_on_priority ON demands`);
    await runner.query(`ALTER TABLE demands DROP COLUMN rank`);
  }
}
