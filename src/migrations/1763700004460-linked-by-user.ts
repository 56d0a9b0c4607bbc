import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells identities that people have linked from those that an address has; those of before count as linked by people. */
export class LinkedByUser1763700004460 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE identities ADD COLUMN linked_by_user boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE identities DROP COLUMN linked_by_user');
  }
}
