import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens that open the calendar of one endeavour and nothing else. */
export class CalendarTokens1763700001610 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN kind text NOT NULL DEFAULT 'access',
      ADD CONSTRAINT access_tokens_kind_check CHECK (kind = 'access' OR (kind = 'calendar' AND endeavour_id IS NOT NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN kind`);
  }
}
