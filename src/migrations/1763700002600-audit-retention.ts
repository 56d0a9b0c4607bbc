import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DROP_SLICE } from './1763700002490-audit-slices.js';

/**
 * Replaces the function in databases where it was created with a custom parameter in its SET clause. Such a function can
 * only be created by a superuser, so that a dump of the database could not be restored by the role of the service.
 */
export class AuditRetention1763700002600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_SLICE);
  }

  /** Leaves the function as it is: it does the same as before. */
  async down(): Promise<void> {}
}
