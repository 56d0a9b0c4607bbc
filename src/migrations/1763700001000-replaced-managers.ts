import type { MigrationInterface, QueryRunner } from 'typeorm';

const wire = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const FIND_OWNER = `(SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
  WHERE m.organization_id = OLD.organization_id AND m.role = 'owner' AND m.user_id <> OLD.user_id
    AND o.status = 'active' AND NOT o.is_managed
  ORDER BY m.joined_at, m.user_id LIMIT 1)`;

const END_TOKENS = `UPDATE access_tokens SET ended_at = now() WHERE ended_at IS NULL AND made_by = OLD.user_id
  AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = OLD.organization_id AND a.manager_id = OLD.user_id)`;

const REPLACE = `UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = ${FIND_OWNER}
  WHERE agent_of = OLD.organization_id AND manager_id = OLD.user_id`;

/** Records an event for each agent that gets another manager, as for every other change of a revision. */
export class ReplacedManagers1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${END_TOKENS};
        WITH replaced AS (${REPLACE} RETURNING *)
        INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
        SELECT new_id('evt'), 'user.updated', 'user', u.id, '{manager_id}', json_build_object('manager_id', OLD.user_id),
          json_build_object('id', u.id, 'name', u.name, 'email', NULL, 'status', u.status, 'user_type', u.user_type,
            'lang', u.lang, 'timezone', u.timezone, 'email_copy', u.email_copy, 'is_admin', u.is_admin, 'tier', u.tier,
            'tier_name', (SELECT t.name FROM tiers t WHERE t.id = u.tier), 'resource_id', u.resource_id,
            'external_id', u.external_id, 'login_count', u.login_count, 'last_active_at', ${wire('u.last_active_at')},
            'metadata', u.metadata, 'created_at', ${wire('u.created_at')}, 'updated_at', ${wire('u.updated_at')},
            'revision', u.revision)
        FROM replaced u ORDER BY u.id;
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${END_TOKENS};
        ${REPLACE};
        RETURN NULL;
      END $$`);
  }
}
