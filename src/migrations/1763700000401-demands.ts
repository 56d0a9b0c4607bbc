import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requires that fulfilled demands, and no others, have `fulfilled_at`. Indexes demands by creator and by creation time.
 */
export class Demands1763700000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE demands ADD CONSTRAINT demands_fulfilled_at_check
        CHECK ((status = 'fulfilled') = (fulfilled_at IS NOT NULL))`,
      `CREATE INDEX demands_creator_id_idx ON demands (creator_id)`,
      `CREATE INDEX demands_created_at_id_idx ON demands (created_at, id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP INDEX demands_created_at_id_idx, demands_creator_id_idx`,
      `ALTER TABLE demands DROP CONSTRAINT demands_fulfilled_at_check`,
    ]) {
      await runner.query(statement);
    }
  }
}
