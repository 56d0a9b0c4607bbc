import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DROP_AUDIT_BEFORE } from './1763700001030-audit.js';

/** The maximum number of entries dropped at once, so that each call is short even on a busy machine. */
const MAX_AT_ONCE = 1_000;

export const DROP_SLICE = `
  -- Runs with the rights of the owner, because the role of the service cannot delete audit entries. Through this
  -- function, the service can drop the oldest entries only.
  CREATE OR REPLACE FUNCTION drop_audit_before(edge timestamptz, last bigint, signed text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      old audit_seals[];
      top audit_seals;
      gone bigint;
      retention text := coalesce(current_setting('worksmith.audit_retention', true), '');
    BEGIN
      IF edge > now() - interval '30 days' OR edge <> date_trunc('month', edge, 'UTC') THEN
        RAISE EXCEPTION 'only what is older than a month that ended 30 days ago is dropped' USING ERRCODE = 'restrict_violation';
      END IF;
      old := ARRAY(
        SELECT s FROM (SELECT * FROM audit_seals ORDER BY position LIMIT ${MAX_AT_ONCE}) s WHERE s.position <= last ORDER BY s.position);
      top := old[cardinality(old)];
      IF top.position IS DISTINCT FROM last OR top.sealed_at >= edge THEN
        RAISE EXCEPTION 'the checkpoint is not among the oldest entries of the month' USING ERRCODE = 'restrict_violation';
      END IF;
      -- The service can add seals, also one with an old time behind those of today.
      IF EXISTS (SELECT 1 FROM unnest(old) s WHERE s.sealed_at > now() - interval '30 days') THEN
        RAISE EXCEPTION 'entries of the last 30 days are kept' USING ERRCODE = 'restrict_violation';
      END IF;
      -- A custom parameter in the SET clause of a function requires a superuser.
      PERFORM set_config('worksmith.audit_retention', 'on', true);
      DELETE FROM audit_entries WHERE id = ANY(ARRAY(SELECT s.entry_id FROM unnest(old) s));
      DELETE FROM audit_seals WHERE position = ANY(ARRAY(SELECT s.position FROM unnest(old) s));
      GET DIAGNOSTICS gone = ROW_COUNT;
      -- A month has one checkpoint, which moves with its entries.
      WITH earlier AS (DELETE FROM audit_checkpoints WHERE before = edge RETURNING dropped)
      INSERT INTO audit_checkpoints (position, hash, dropped, before, signature)
        SELECT last, top.hash, gone + coalesce(sum(dropped), 0), edge, signed FROM earlier;
      PERFORM set_config('worksmith.audit_retention', retention, true);
      RETURN gone;
    END $$`;

/** Drops old audit entries in slices, because one statement takes too long for a month with many entries. */
export class AuditSlices1763700002490 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_SLICE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_AUDIT_BEFORE.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
  }
}
