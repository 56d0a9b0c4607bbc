import type { DatabaseObjects } from '../database/schema/database-objects.js';

/** The audit is append-only, also for the role that owns its tables. */
export const AUDIT_OBJECTS: DatabaseObjects = {
  functions: [
    /** Lists a new entry for the worker that seals entries into the hash chain. */
    `CREATE FUNCTION await_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO audit_unsealed (entry_id) VALUES (NEW.id);
        RETURN NULL;
      END $$`,
    /** Refuses to change or delete entries, seals and checkpoints, except by `drop_audit_before`. */
    `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('worksmith.audit_retention', true) = 'on' THEN RETURN OLD; END IF;
        RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$`,
    /**
     * Deletes the sealed entries up to the seal `last`, a month at a time and none of the last 30 days, and leaves a
     * checkpoint with their hash and signature. Returns the number of deleted entries.
     */
    `CREATE FUNCTION drop_audit_before(edge timestamptz, last bigint, signed text) RETURNS bigint
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
          SELECT s FROM (SELECT * FROM audit_seals ORDER BY position LIMIT 1000) s WHERE s.position <= last
            ORDER BY s.position);
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
      END $$`,
    /** The members of an object with these keys. */
    `CREATE FUNCTION only_keys(source json, kept text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(part.key, part.value), '{}')
      FROM jsonb_each(source::jsonb) part WHERE part.key = ANY(kept) $$`,
  ],
  triggers: [
    `CREATE TRIGGER audit_checkpoints_immutable BEFORE UPDATE OR DELETE ON audit_checkpoints
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_checkpoints_not_emptied BEFORE TRUNCATE ON audit_checkpoints
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_entries_immutable BEFORE UPDATE OR DELETE ON audit_entries
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_entries_unsealed AFTER INSERT ON audit_entries FOR EACH ROW
      EXECUTE FUNCTION await_audit_seal()`,
    `CREATE TRIGGER audit_seals_immutable BEFORE UPDATE OR DELETE ON audit_seals
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_seals_not_emptied BEFORE TRUNCATE ON audit_seals
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  ],
};
