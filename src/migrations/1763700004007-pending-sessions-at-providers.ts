import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sessions at identity providers of sign-ins that wait for the second factor. */
export class PendingSessionsAtProviders1763700004007 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pending_sign_ins ADD COLUMN provider jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_sign_ins DROP COLUMN provider');
  }
}
