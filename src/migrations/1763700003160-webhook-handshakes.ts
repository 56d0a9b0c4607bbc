import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the receiver of a webhook has accepted a test, before which it gets no events. Existing webhooks, and those that
 * a release creates that sends no tests by itself, count as accepted.
 */
export class WebhookHandshakes1763700003160 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_states ADD COLUMN verified_at timestamptz(3) DEFAULT now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_states DROP COLUMN verified_at');
  }
}
