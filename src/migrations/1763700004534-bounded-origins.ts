import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockedBriefly } from './partitioning/locked-briefly.js';

/** The bound of the first partition of the audit, for the origins of its entries. */
export class BoundedOrigins1763700004534 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockedBriefly('LOCK TABLE audit_origins IN ACCESS EXCLUSIVE MODE'));
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER TABLE audit_origins ADD CONSTRAINT audit_origins_first_check CHECK (entry_id < %L) NOT VALID',
        (SELECT substring(pg_get_constraintdef(c.oid) FROM 'aud_[0-9a-f]+') FROM pg_constraint c
         WHERE c.conrelid = 'audit_entries'::regclass AND c.conname = 'audit_entries_first_check'));
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_origins DROP CONSTRAINT audit_origins_first_check');
  }
}
