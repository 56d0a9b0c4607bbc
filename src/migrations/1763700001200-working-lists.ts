import type { MigrationInterface, QueryRunner } from 'typeorm';

const IS_LACKING = `(c->>'required')::boolean AND c->>'status' = 'failed'`;

/** SQL: the stakeholder roles that the failed sign-off conditions of the check `k` require. */
const rolesOf = (condition: string): string => `ARRAY(
  SELECT DISTINCT p->'params'->>'role' FROM dod_policies policy, jsonb_array_elements(policy.conditions) p
  WHERE policy.id = k.policy_id AND p->>'type' = 'stakeholder_sign_off' AND ${condition} AND EXISTS (
    SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE ${IS_LACKING} AND c->>'id' = p->>'id') ORDER BY 1)`;

const EXCLUDES_AUTHOR = `coalesce((p->'params'->>'exclude_author')::boolean, true)`;

const IS_AWAITED = `k.result = 'not_met' AND NOT k.overridden
  AND EXISTS (SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE ${IS_LACKING})
  AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(k.conditions) c
    WHERE ${IS_LACKING} AND c->>'type' NOT IN ('peer_review', 'stakeholder_sign_off'))`;

/**
 * Tables and indexes for the working lists of users. A trigger maintains which tasks lack only verdicts, because
 * several operations store checks and each would need an additional statement.
 */
export class WorkingLists1763700001200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE awaited_verdicts (
        task_id text NOT NULL,
        endeavour_id text NOT NULL,
        roles text[] NOT NULL,
        author_roles text[] NOT NULL,
        since timestamptz(3) NOT NULL,
        CONSTRAINT awaited_verdicts_pkey PRIMARY KEY (task_id)
      )`,
      `CREATE INDEX awaited_verdicts_endeavour_id_idx ON awaited_verdicts (endeavour_id)`,
      `ALTER TABLE awaited_verdicts ADD CONSTRAINT awaited_verdicts_task_id_endeavour_id_fkey
        FOREIGN KEY (task_id, endeavour_id) REFERENCES tasks(id, endeavour_id) ON DELETE CASCADE ON UPDATE CASCADE`,
      `CREATE TABLE review_requests (
        task_id text NOT NULL,
        resource_id text NOT NULL,
        requested_by text NOT NULL,
        requested_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT review_requests_pkey PRIMARY KEY (task_id, resource_id)
      )`,
      `CREATE INDEX review_requests_resource_id_idx ON review_requests (resource_id)`,
      `ALTER TABLE review_requests ADD CONSTRAINT review_requests_task_id_fkey
        FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE`,
      `ALTER TABLE review_requests ADD CONSTRAINT review_requests_resource_id_fkey
        FOREIGN KEY (resource_id) REFERENCES resources(id)`,
      `ALTER TABLE review_requests ADD CONSTRAINT review_requests_requested_by_fkey
        FOREIGN KEY (requested_by) REFERENCES resources(id)`,
      `CREATE INDEX quorum_votes_standing_idx ON quorum_votes (team_id) WHERE lapsed_at IS NULL`,
      `CREATE INDEX ritual_runs_unclaimed_idx ON ritual_runs (endeavour_id) WHERE status = 'running' AND run_by IS NULL`,
      `CREATE FUNCTION keep_awaited_verdicts() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         k dod_checks := NEW;
       BEGIN
         IF ${IS_AWAITED} THEN
           INSERT INTO awaited_verdicts (task_id, endeavour_id, roles, author_roles, since)
           SELECT t.id, t.endeavour_id, ${rolesOf('true')}, ${rolesOf(`NOT ${EXCLUDES_AUTHOR}`)}, k.checked_at
           FROM tasks t WHERE t.id = k.task_id
           ON CONFLICT (task_id) DO UPDATE SET roles = excluded.roles, author_roles = excluded.author_roles,
             since = excluded.since;
         ELSE
           DELETE FROM awaited_verdicts WHERE task_id = k.task_id;
         END IF;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER dod_checks_keep_awaited AFTER INSERT ON dod_checks FOR EACH ROW EXECUTE FUNCTION keep_awaited_verdicts()`,
      `INSERT INTO awaited_verdicts (task_id, endeavour_id, roles, author_roles, since)
       SELECT t.id, t.endeavour_id, ${rolesOf('true')}, ${rolesOf(`NOT ${EXCLUDES_AUTHOR}`)}, k.checked_at
       FROM (SELECT DISTINCT ON (task_id) * FROM dod_checks ORDER BY task_id, checked_at DESC, id DESC) k
         JOIN tasks t ON t.id = k.task_id WHERE ${IS_AWAITED}`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER dod_checks_keep_awaited ON dod_checks`,
      `DROP FUNCTION keep_awaited_verdicts`,
      `DROP INDEX ritual_runs_unclaimed_idx, quorum_votes_standing_idx`,
      `DROP TABLE review_requests, awaited_verdicts`,
    ]) {
      await runner.query(statement);
    }
  }
}
