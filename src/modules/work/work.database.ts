import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** The tasks that wait for verdicts of people only. */
export const WORK_OBJECTS: DatabaseObjects = {
  functions: [
    /** A task whose last check failed only by reviews and sign-offs is listed for those who could give them. */
    `CREATE FUNCTION keep_awaited_verdicts() RETURNS trigger LANGUAGE plpgsql AS $$
           DECLARE
             k dod_checks := NEW;
           BEGIN
             IF k.result = 'not_met' AND NOT k.overridden
      AND EXISTS (SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE (c->>'required')::boolean
        AND c->>'status' = 'failed')
      AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(k.conditions) c
        WHERE (c->>'required')::boolean AND c->>'status' = 'failed' AND c->>'type' NOT IN ('peer_review',
          'stakeholder_sign_off')) THEN
               INSERT INTO awaited_verdicts (task_id, endeavour_id, roles, author_roles, since)
               SELECT t.id, t.endeavour_id, ARRAY(
      SELECT DISTINCT p->'params'->>'role' FROM dod_policies policy, jsonb_array_elements(policy.conditions) p
      WHERE policy.id = k.policy_id AND p->>'type' = 'stakeholder_sign_off' AND true AND EXISTS (
        SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE (c->>'required')::boolean
          AND c->>'status' = 'failed' AND c->>'id' = p->>'id') ORDER BY 1), ARRAY(
      SELECT DISTINCT p->'params'->>'role' FROM dod_policies policy, jsonb_array_elements(policy.conditions) p
      WHERE policy.id = k.policy_id AND p->>'type' = 'stakeholder_sign_off'
        AND NOT coalesce((p->'params'->>'exclude_author')::boolean, true) AND EXISTS (
        SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE (c->>'required')::boolean
          AND c->>'status' = 'failed' AND c->>'id' = p->>'id') ORDER BY 1), k.checked_at
               FROM tasks t WHERE t.id = k.task_id
               ON CONFLICT (task_id) DO UPDATE SET roles = excluded.roles, author_roles = excluded.author_roles,
                 since = excluded.since;
             ELSE
               DELETE FROM awaited_verdicts WHERE task_id = k.task_id;
             END IF;
             RETURN NULL;
           END $$`,
  ],
  triggers: [
    `CREATE TRIGGER dod_checks_keep_awaited AFTER INSERT ON dod_checks FOR EACH ROW
      EXECUTE FUNCTION keep_awaited_verdicts()`,
  ],
};
