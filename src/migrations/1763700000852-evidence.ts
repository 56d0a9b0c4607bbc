import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes the evidence for finished tasks immutable: test reports, the container of a relation, and the roles of the
 * poster of a result. Also records whether a done task met its policy.
 */
export class Evidence1763700000852 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE artifacts ADD COLUMN evidence jsonb`,
      `UPDATE artifacts SET evidence = jsonb_build_object('result', metadata->'result', 'tags', to_jsonb(tags))
       WHERE metadata ? 'result'`,
      `-- Keeps the first result of a test report and its tags, also after the artifact is deleted and its text erased.
       CREATE FUNCTION keep_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF TG_OP = 'UPDATE' AND OLD.evidence IS NOT NULL THEN
           NEW.evidence := OLD.evidence;
           IF NEW.deleted_at IS NULL AND coalesce(current_setting('worksmith.erasing', true), '') <> 'on' AND (NEW.task_id IS DISTINCT FROM OLD.task_id
             OR NEW.evidence IS DISTINCT FROM jsonb_build_object('result', NEW.metadata->'result', 'tags', to_jsonb(NEW.tags)))
           THEN RAISE EXCEPTION 'evidence is kept as it was' USING ERRCODE = 'restrict_violation'; END IF;
         ELSIF NEW.metadata ? 'result' THEN
           NEW.evidence := jsonb_build_object('result', NEW.metadata->'result', 'tags', to_jsonb(NEW.tags));
         ELSE
           NEW.evidence := NULL;
         END IF;
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER artifacts_keep_evidence BEFORE INSERT OR UPDATE ON artifacts
        FOR EACH ROW EXECUTE FUNCTION keep_evidence()`,
      `ALTER TABLE relations ADD COLUMN made_in text`,
      `UPDATE relations l SET made_in = x.endeavour_id FROM entities x WHERE x.id = l.id`,
      `CREATE INDEX relations_source_entity_id_idx ON relations (source_entity_id)`,
      `ALTER TABLE dod_results ADD COLUMN roles text[] NOT NULL DEFAULT '{}'`,
      `ALTER TABLE tasks ADD COLUMN dod_result text`,
      `UPDATE tasks t SET dod_result = CASE
         WHEN t.dod_check_id IS NULL THEN 'no_policy'
         WHEN (SELECT c.result FROM dod_checks c WHERE c.id = t.dod_check_id) = 'met' THEN 'met'
         ELSE 'overridden' END
       WHERE t.status = 'done'`,
      `ALTER TABLE tasks ADD CONSTRAINT tasks_dod_result_check CHECK (dod_result IS NULL
        OR (status = 'done' AND dod_result IN ('met', 'overridden', 'no_policy', 'imported')))`,
      // A stakeholder role must not have the name of a role, because it would count as that role.
      `UPDATE endeavour_members SET stakeholder_roles = ARRAY(
         SELECT word FROM unnest(stakeholder_roles) word WHERE lower(word) <> ALL ('{guest,viewer,member,admin,owner}'))
       WHERE stakeholder_roles <> '{}'`,
      `ALTER TABLE endeavour_members ADD CONSTRAINT endeavour_members_stakeholder_roles_check
        CHECK (NOT stakeholder_roles && '{guest,viewer,member,admin,owner}')`,
      // Built-in policies get the current defaults, unless they are in use or were used for a check.
      `ALTER TABLE dod_policies DISABLE TRIGGER dod_policies_keep`,
      `UPDATE dod_policies p SET conditions = (
         SELECT jsonb_agg(CASE c->>'type'
           WHEN 'peer_review' THEN jsonb_set(c, '{params}', '{"block_on_rejection": true, "user_type": "any"}' || (c->'params'))
           WHEN 'stakeholder_sign_off' THEN jsonb_set(c, '{params}', '{"exclude_author": true}' || (c->'params'))
           ELSE c END ORDER BY position)
         FROM jsonb_array_elements(p.conditions) WITH ORDINALITY AS listed (c, position))
       WHERE origin = 'template' AND NOT EXISTS (SELECT 1 FROM endeavours e WHERE e.dod_policy_id = p.id)
         AND NOT EXISTS (SELECT 1 FROM dod_checks k WHERE k.policy_id = p.id)`,
      `ALTER TABLE dod_policies ENABLE TRIGGER dod_policies_keep`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE endeavour_members DROP CONSTRAINT endeavour_members_stakeholder_roles_check`,
      `ALTER TABLE tasks DROP COLUMN dod_result`,
      `ALTER TABLE dod_results DROP COLUMN roles`,
      `DROP INDEX relations_source_entity_id_idx`,
      `ALTER TABLE relations DROP COLUMN made_in`,
      `DROP TRIGGER artifacts_keep_evidence ON artifacts`,
      `DROP FUNCTION keep_evidence`,
      `ALTER TABLE artifacts DROP COLUMN evidence`,
    ]) {
      await runner.query(statement);
    }
  }
}
