import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockedBriefly } from './partitioning/locked-briefly.js';

/** Says that all entries of the audit belong to its first partition, which ends with the month after this one. */
export class BoundedAudit1763700004533 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockedBriefly('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE'));
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_first_check CHECK (id < %L) NOT VALID',
        first_id_of('aud', (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC'));
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_first_check');
  }
}
