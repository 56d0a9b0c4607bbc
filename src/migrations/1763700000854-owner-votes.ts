import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Votes apply only while the team owns the work: they end when the owner changes. */
export class OwnerVotes1763700000854 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['tasks', 'demands']) {
      await runner.query(`CREATE TRIGGER ${table}_lapse_votes_on_owner AFTER UPDATE OF owner_id ON ${table}
        FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION lapse_votes()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['tasks', 'demands'])
      await runner.query(`DROP TRIGGER ${table}_lapse_votes_on_owner ON ${table}`);
  }
}
