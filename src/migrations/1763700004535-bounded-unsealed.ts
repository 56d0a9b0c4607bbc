import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockedBriefly } from './partitioning/locked-briefly.js';

/** The bound of the first partition of the audit, for entries without a seal. */
export class BoundedUnsealed1763700004535 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockedBriefly('LOCK TABLE audit_unsealed IN ACCESS EXCLUSIVE MODE'));
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER TABLE audit_unsealed ADD CONSTRAINT audit_unsealed_first_check CHECK (entry_id < %L) NOT VALID',
        (SELECT substring(pg_get_constraintdef(c.oid) FROM 'aud_[0-9a-f]+') FROM pg_constraint c
         WHERE c.conrelid = 'audit_entries'::regclass AND c.conname = 'audit_entries_first_check'));
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_unsealed DROP CONSTRAINT audit_unsealed_first_check');
  }
}
