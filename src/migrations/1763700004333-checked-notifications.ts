import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms, without blocking writes, that all notifications have kinds that exist. */
export class CheckedNotifications1763700004333 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE notifications VALIDATE CONSTRAINT notifications_kinds_check`);
  }

  /** The constraint belongs to an earlier migration. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
