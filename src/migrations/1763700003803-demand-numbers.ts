import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers new demands, also those of replicas of the previous release. */
export class DemandNumbers1763700003803 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE demands ADD number integer, ADD former_numbers jsonb`);
    await runner.query(
      `CREATE TRIGGER demands_number_new BEFORE INSERT ON demands FOR EACH ROW EXECUTE FUNCTION number_new_work()`,
    );
    await runner.query(`CREATE TRIGGER demands_number_moved BEFORE UPDATE OF endeavour_id ON demands FOR EACH ROW
        WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION number_moved_work()`);
    await runner.query(
      `CREATE TRIGGER demands_release_numbers AFTER DELETE ON demands FOR EACH ROW EXECUTE FUNCTION release_numbers()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER demands_release_numbers ON demands`);
    await runner.query(`DROP TRIGGER demands_number_moved ON demands`);
    await runner.query(`DROP TRIGGER demands_number_new ON demands`);
    await runner.query(`ALTER TABLE demands DROP COLUMN former_numbers, DROP COLUMN number`);
  }
}
