import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ins by identity providers that wait for the second factor. */
export class SignInsByProviders1763700003902 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_sign_ins ADD COLUMN is_by_provider boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_sign_ins DROP COLUMN is_by_provider');
  }
}
