import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rituals without a schedule have no next time either, so that whatever looks for due ones read all of them, every five
 * seconds.
 */
export class ScheduledRituals1763700002420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX rituals_next_run_at_idx`);
    await runner.query(
      `CREATE INDEX rituals_next_run_at_idx ON rituals (next_run_at)
       WHERE is_enabled AND schedule->>'type' <> 'manual' AND endeavour_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX rituals_next_run_at_idx`);
    await runner.query(`CREATE INDEX rituals_next_run_at_idx ON rituals (next_run_at) WHERE is_enabled`);
  }
}
