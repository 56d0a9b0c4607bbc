import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Limits the index of due rituals to those with a schedule. The others have no next time either, so the job that looks
 * for due rituals read all of them every five seconds.
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
