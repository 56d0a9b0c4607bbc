import type { MigrationInterface, QueryRunner } from 'typeorm';

const digest = (text: string): string => `encode(sha256(convert_to(coalesce(${text}, ''), 'UTF8')), 'hex')`;

/**
 * Fills the rounds of existing tasks in its own transaction, which locks only the rows that it changes. Tasks that were
 * never reopened stay in their first round, so that what is done stays met. An override or attestation is bound to the
 * policy in force only if that version existed when it was given.
 */
export class RoundsOfExistingTasks1763700002701 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE tasks VALIDATE CONSTRAINT tasks_dod_result_check`,
      `ALTER TABLE tasks VALIDATE CONSTRAINT tasks_dod_changed_at_check`,
      `UPDATE tasks t SET round_started_at = reopened.at
       FROM (SELECT s.task_id, max(s.left_at) AS at FROM task_statuses s WHERE s.status = 'done' AND s.left_at IS NOT NULL
         GROUP BY s.task_id) reopened
       WHERE t.id = reopened.task_id`,
      `UPDATE tasks t SET dod_override_policy_id = p.id
       FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id
       WHERE e.id = t.endeavour_id AND t.dod_overridden_at >= p.created_at`,
      `UPDATE tasks t SET attestations = (
         SELECT jsonb_agg(jsonb_build_object('id', c->>'id', 'label', ${digest(`c->>'label'`)},
           'prompt', ${digest(`c->'params'->>'prompt'`)}, 'by', t.attested_by))
         FROM jsonb_array_elements(p.conditions) c WHERE c->>'type' = 'manual_attestation')
       FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id
       WHERE e.id = t.endeavour_id AND t.attested_at >= p.created_at AND t.status <> 'done'`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(): Promise<void> {}
}
