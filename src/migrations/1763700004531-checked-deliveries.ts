import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads all deliveries while they are written, so that they can become a partition without being read again. */
export class CheckedDeliveries1763700004531 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT webhook_deliveries_first_check');
  }

  async down(): Promise<void> {
    // A valid constraint does what one that is not valid does.
  }
}
