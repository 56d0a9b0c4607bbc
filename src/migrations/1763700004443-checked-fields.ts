import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms the fields of endeavours, without blocking writes. */
export class CheckedFields1763700004443 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE endeavours VALIDATE CONSTRAINT endeavours_fields_check`);
  }

  async down(): Promise<void> {
    // The constraint goes with its column.
  }
}
