import type { MigrationInterface, QueryRunner } from 'typeorm';

const wire = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const OF_MANAGER = `ended_at IS NULL AND made_by = OLD.user_id
  AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = OLD.organization_id AND a.manager_id = OLD.user_id)`;

const FIND_OWNER = `(SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
  WHERE m.organization_id = OLD.organization_id AND m.role = 'owner' AND m.user_id <> OLD.user_id
    AND o.status = 'active' AND NOT o.is_managed
  ORDER BY m.joined_at, m.user_id LIMIT 1)`;

const REPLACE = `WITH replaced AS (
    UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = ${FIND_OWNER}
    WHERE agent_of = OLD.organization_id AND manager_id = OLD.user_id RETURNING *)
  INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
  SELECT new_id('evt'), 'user.updated', 'user', u.id, '{manager_id}', json_build_object('manager_id', OLD.user_id),
    json_build_object('id', u.id, 'name', u.name, 'email', NULL, 'status', u.status, 'user_type', u.user_type,
      'lang', u.lang, 'timezone', u.timezone, 'email_copy', u.email_copy, 'is_admin', u.is_admin, 'tier', u.tier,
      'tier_name', (SELECT t.name FROM tiers t WHERE t.id = u.tier), 'resource_id', u.resource_id,
      'external_id', u.external_id, 'login_count', u.login_count, 'last_active_at', ${wire('u.last_active_at')},
      'metadata', u.metadata, 'created_at', ${wire('u.created_at')}, 'updated_at', ${wire('u.updated_at')},
      'revision', u.revision)
  FROM replaced u ORDER BY u.id`;

const END = `WITH ended AS (
    UPDATE access_tokens SET ended_at = clock_timestamp(), revision = revision + 1, updated_at = clock_timestamp()
    WHERE ${OF_MANAGER} RETURNING *),
  worthless AS (DELETE FROM access_token_secrets s USING ended WHERE s.token_id = ended.id),
  news AS (
    INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
    SELECT new_id('evt'), 'access_token.deleted', 'access_token', a.id, '{ended_at}', '{"ended_at": null}',
      json_build_object('id', a.id, 'user_id', a.user_id, 'kind', a.kind, 'name', a.name, 'scopes', a.scopes,
        'organization_id', a.organization_id, 'endeavour_id', a.endeavour_id, 'expires_at', ${wire('a.expires_at')},
        'created_at', ${wire('a.created_at')}, 'updated_at', ${wire('a.updated_at')}, 'revision', a.revision)
    FROM ended a ORDER BY a.id RETURNING *)
  INSERT INTO audit_entries (id, action, user_id, entity_type, entity_id, organization_id, details)
  SELECT new_id('aud'), n.type, n.data ->> 'user_id', n.entity_type, n.entity_id, OLD.organization_id,
    only_keys(n.data, '{endeavour_id,organization_id,scopes,user_id}') || '{"before": {}}'
  FROM news n`;

/**
 * Ends the tokens of a replaced manager like all others: records an event and an audit entry, and deletes their
 * secrets. The function sets its own search path, because it must end all tokens even if the request that ends the
 * membership is confined.
 */
export class RecordedTokenEnds1763700001800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql
      SET search_path = public AS $$
      BEGIN
        ${END};
        ${REPLACE};
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE access_tokens SET ended_at = now() WHERE ${OF_MANAGER};
        ${REPLACE};
        RETURN NULL;
      END $$`);
  }
}
