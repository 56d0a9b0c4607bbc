import type { MigrationInterface, QueryRunner } from 'typeorm';

const check = (types: string): string => `ALTER TABLE rituals DROP CONSTRAINT rituals_schedule_check,
  ADD CONSTRAINT rituals_schedule_check CHECK (schedule->>'type' IN (${types}))`;

/** Allows schedules by days of months. */
export class MonthlySchedules1763700003220 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${check(`'manual', 'cron', 'interval', 'monthly'`)} NOT VALID`);
    await runner.query('ALTER TABLE rituals VALIDATE CONSTRAINT rituals_schedule_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE rituals SET schedule = '{"type": "manual"}' WHERE schedule->>'type' = 'monthly'`);
    await runner.query(check(`'manual', 'cron', 'interval'`));
  }
}
