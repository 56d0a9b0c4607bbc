import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEEP_ASSIGNMENTS = `CREATE TRIGGER tasks_keep_assignments AFTER UPDATE ON tasks FOR EACH ROW`;
const IS_ASSIGNED = `(OLD.assignee_id IS NOT NULL OR NEW.assignee_id IS NOT NULL)`;

/** SQL: `metadata.<key>` for each field that the conditions name. */
const namedParts = (types: string): string => `SELECT DISTINCT 'metadata.' || CASE
    WHEN c->>'type' = 'checklist_complete' THEN 'checklist'
    ELSE regexp_replace(c->'params'->>'field', '^metadata\\.', '') END AS part
  FROM jsonb_array_elements(coalesce(conditions, '[]')) c WHERE c->>'type' IN (${types})`;

const APPROVED_PARTS = `-- The parts of a task that an approval covers under these conditions: '' for title and description, and
   -- "metadata." with a key. Checklist and acceptance are always covered.
   CREATE OR REPLACE FUNCTION approved_parts(conditions jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
     SELECT coalesce(array_agg(named.part), '{}') || '{"", metadata.*, metadata.checklist, metadata.acceptance}'::text[]
     FROM (${namedParts(`'field_populated'`)}) named WHERE named.part IS NOT NULL $$`;

const APPROVED_PARTS_BEFORE = `CREATE OR REPLACE FUNCTION approved_parts(conditions jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
     SELECT coalesce(array_agg(named.part) || ARRAY['metadata.*'], '{}') || ARRAY['']
     FROM (${namedParts(`'checklist_complete', 'field_populated'`)}) named WHERE named.part IS NOT NULL $$`;

const approvedValue = (
  keys: string,
): string => `-- An approval of a checklist covers its texts, not which items are checked.
   CREATE OR REPLACE FUNCTION approved_value(key text, value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
     SELECT CASE WHEN key IN (${keys}) AND jsonb_typeof(value) = 'array' THEN
       (SELECT coalesce(jsonb_agg(CASE jsonb_typeof(item) WHEN 'object'
          THEN item - '{checked,checked_at,checked_by}'::text[] ELSE item END), '[]')
        FROM jsonb_array_elements(value) item)
     ELSE value END $$`;

/** SQL: whether a part of the content that approvals cover changes. */
const CHANGES_APPROVED_CONTENT = `EXISTS (SELECT 1 FROM jsonb_each(NEW.content_changes) c
  WHERE c.value IS DISTINCT FROM OLD.content_changes->c.key AND c.key = ANY(approved_parts(
    (SELECT p.conditions FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id WHERE e.id = NEW.endeavour_id))))`;

const RENEW_ROUND = `-- Begins a round of a task that is reopened, or whose approved content changes while it is done, and keeps
   -- what belongs to a result, an override and an attestation together with it. Fires after the content changes are recorded.
   CREATE FUNCTION renew_round() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF OLD.status = 'done' AND NEW.status <> 'done' THEN
       NEW.round_started_at := clock_timestamp();
     ELSIF OLD.status = 'done' AND OLD.content_changes IS DISTINCT FROM NEW.content_changes
       AND ${CHANGES_APPROVED_CONTENT} THEN
       NEW.round_started_at := clock_timestamp();
       IF NEW.dod_result IN ('met', 'overridden', 'changed') THEN
         NEW.dod_result := 'changed';
         NEW.dod_changed_at := NEW.round_started_at;
         NEW.dod_changed_by := NEW.updated_by;
       END IF;
     END IF;
     IF NEW.dod_result IS DISTINCT FROM 'changed' THEN
       NEW.dod_changed_at := NULL;
       NEW.dod_changed_by := NULL;
     END IF;
     IF NEW.dod_overridden_at IS NULL THEN
       NEW.dod_override_policy_id := NULL;
     ELSIF OLD.dod_overridden_at IS DISTINCT FROM NEW.dod_overridden_at THEN
       NEW.dod_override_policy_id := (SELECT e.dod_policy_id FROM endeavours e WHERE e.id = NEW.endeavour_id);
     END IF;
     IF NEW.attested_at IS NULL THEN NEW.attestations := NULL; END IF;
     RETURN NEW;
   END $$`;

const RENEWS_ROUND = `(OLD.status = 'done' AND (NEW.status <> 'done' OR OLD.dod_result IS DISTINCT FROM NEW.dod_result
    OR OLD.content_changes IS DISTINCT FROM NEW.content_changes))
  OR OLD.dod_overridden_at IS DISTINCT FROM NEW.dod_overridden_at
  OR (NEW.attested_at IS NULL AND NEW.attestations IS NOT NULL)`;

const resultCheck = (results: string): string =>
  `CHECK (dod_result IS NULL OR (status = 'done' AND dod_result IN (${results})))`;

/**
 * Rounds of tasks: evidence counts only in the round in which it was given. A round begins when a task is reopened, or when
 * its approved content changes while it is done; in the first round, the column is null. A trigger begins rounds, so that
 * no operation can close a task with the evidence of an earlier round, and no write needs another statement.
 */
export class Rounds1763700002700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE tasks ADD COLUMN round_started_at timestamptz(3),
         ADD COLUMN dod_changed_at timestamptz(3),
         ADD COLUMN dod_changed_by text,
         ADD COLUMN dod_override_policy_id text,
         ADD COLUMN attestations jsonb,
         DROP CONSTRAINT tasks_dod_result_check,
         ADD CONSTRAINT tasks_dod_result_check
           ${resultCheck(`'met', 'overridden', 'no_policy', 'imported', 'changed'`)} NOT VALID,
         ADD CONSTRAINT tasks_dod_changed_at_check
           CHECK ((dod_result IS NOT DISTINCT FROM 'changed') = (dod_changed_at IS NOT NULL)) NOT VALID`,
      APPROVED_PARTS,
      approvedValue(`'checklist', 'acceptance'`),
      RENEW_ROUND,
      `CREATE TRIGGER tasks_renew_round BEFORE UPDATE ON tasks FOR EACH ROW WHEN (${RENEWS_ROUND})
         EXECUTE FUNCTION renew_round()`,
      // Only effective changes are work on the task; the backfill of the next migration is none.
      `DROP TRIGGER tasks_keep_assignments ON tasks`,
      `${KEEP_ASSIGNMENTS} WHEN (${IS_ASSIGNED}
         AND (OLD.revision <> NEW.revision OR OLD.assignee_id IS DISTINCT FROM NEW.assignee_id))
         EXECUTE FUNCTION keep_task_assignment()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER tasks_keep_assignments ON tasks`,
      `${KEEP_ASSIGNMENTS} WHEN (${IS_ASSIGNED}
         AND (OLD.blocked_by_count = NEW.blocked_by_count OR OLD.revision <> NEW.revision))
         EXECUTE FUNCTION keep_task_assignment()`,
      `DROP TRIGGER tasks_renew_round ON tasks`,
      `DROP FUNCTION renew_round`,
      approvedValue(`'checklist'`),
      APPROVED_PARTS_BEFORE,
      `UPDATE tasks SET dod_result = 'met', dod_changed_at = NULL WHERE dod_result = 'changed'`,
      `ALTER TABLE tasks DROP CONSTRAINT tasks_dod_result_check,
         ADD CONSTRAINT tasks_dod_result_check ${resultCheck(`'met', 'overridden', 'no_policy', 'imported'`)},
         DROP COLUMN round_started_at, DROP COLUMN dod_changed_at, DROP COLUMN dod_changed_by,
         DROP COLUMN dod_override_policy_id, DROP COLUMN attestations`,
    ]) {
      await runner.query(statement);
    }
  }
}
