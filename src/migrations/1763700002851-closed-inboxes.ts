import type { MigrationInterface, QueryRunner } from 'typeorm';

const wire = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: the agents of the organization that the former manager has managed, as a condition on a column. */
const ofFormer = (column: string): string =>
  `${column} IN (SELECT a.id FROM users a WHERE a.agent_of = organization AND a.manager_id = former)`;

const OWNER = `(SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
  WHERE m.organization_id = organization AND m.role = 'owner' AND m.user_id <> former
    AND o.status = 'active' AND NOT o.is_managed
  ORDER BY m.joined_at, m.user_id LIMIT 1)`;

/** Ends tokens with an event and an audit entry each, and deletes their secrets. */
const endTokens = (which: string): string => `WITH ended AS (
    UPDATE access_tokens SET ended_at = clock_timestamp(), revision = revision + 1, updated_at = clock_timestamp()
    WHERE ended_at IS NULL AND ${which} RETURNING *),
  worthless AS (DELETE FROM access_token_secrets s USING ended WHERE s.token_id = ended.id),
  news AS (
    INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
    SELECT new_id('evt'), 'access_token.deleted', 'access_token', a.id, '{ended_at}', '{"ended_at": null}',
      json_build_object('id', a.id, 'user_id', a.user_id, 'kind', a.kind, 'name', a.name, 'scopes', a.scopes,
        'organization_id', a.organization_id, 'endeavour_id', a.endeavour_id, 'expires_at', ${wire('a.expires_at')},
        'created_at', ${wire('a.created_at')}, 'updated_at', ${wire('a.updated_at')}, 'revision', a.revision)
    FROM ended a ORDER BY a.id RETURNING *)
  INSERT INTO audit_entries (id, action, user_id, entity_type, entity_id, organization_id, details)
  SELECT new_id('aud'), n.type, n.data ->> 'user_id', n.entity_type, n.entity_id, organization,
    only_keys(n.data, '{endeavour_id,organization_id,scopes,user_id}') || '{"before": {}}'
  FROM news n`;

const REPLACE = `WITH replaced AS (
    UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = ${OWNER}
    WHERE agent_of = organization AND manager_id = former RETURNING *)
  INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
  SELECT new_id('evt'), 'user.updated', 'user', u.id, '{manager_id}', json_build_object('manager_id', former),
    json_build_object('id', u.id, 'name', u.name, 'email', NULL, 'status', u.status, 'user_type', u.user_type,
      'lang', u.lang, 'timezone', u.timezone, 'email_copy', u.email_copy, 'is_admin', u.is_admin, 'tier', u.tier,
      'tier_name', (SELECT t.name FROM tiers t WHERE t.id = u.tier), 'resource_id', u.resource_id,
      'external_id', u.external_id, 'login_count', u.login_count, 'last_active_at', ${wire('u.last_active_at')},
      'metadata', u.metadata, 'created_at', ${wire('u.created_at')}, 'updated_at', ${wire('u.updated_at')},
      'revision', u.revision)
  FROM replaced u ORDER BY u.id`;

/**
 * Ends everything by which somebody else acted as an agent when its manager changes: all of its tokens, also those that
 * the new manager created as another admin, and its inbox. A person who is no longer an administrator, and no admin of
 * the organization either, no longer manages its agents.
 */
export class ClosedInboxes1763700002851 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE messages ADD COLUMN closed_to_sender boolean NOT NULL DEFAULT false`,
      `CREATE FUNCTION succeed_manager(former text, organization text) RETURNS void LANGUAGE plpgsql
         SET search_path = public AS $$
       BEGIN
         ${endTokens(ofFormer('user_id'))};
         ${REPLACE};
       END $$`,
      `CREATE OR REPLACE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql
         SET search_path = public AS $$
       BEGIN
         PERFORM succeed_manager(OLD.user_id, OLD.organization_id);
         RETURN NULL;
       END $$`,
      `CREATE FUNCTION replace_former_administrator() RETURNS trigger LANGUAGE plpgsql
         SET search_path = public AS $$
       BEGIN
         PERFORM succeed_manager(NEW.id, o.id) FROM (
           SELECT DISTINCT a.agent_of AS id FROM users a WHERE a.manager_id = NEW.id AND a.agent_of IS NOT NULL) o
         WHERE NOT EXISTS (SELECT 1 FROM organization_resources m
           WHERE m.organization_id = o.id AND m.user_id = NEW.id AND role_rank(m.role) >= 3);
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_replace_former_administrator AFTER UPDATE OF is_admin ON users FOR EACH ROW
         WHEN (OLD.is_admin AND NOT NEW.is_admin) EXECUTE FUNCTION replace_former_administrator()`,
      `CREATE FUNCTION close_inbox() RETURNS trigger LANGUAGE plpgsql
         SET search_path = public AS $$
       DECLARE
         before text := coalesce(nullif(current_setting('worksmith.erasing', true), ''), 'off');
       BEGIN
         PERFORM set_config('worksmith.erasing', 'on', true);
         UPDATE events e SET audience = array_remove(e.audience, NEW.resource_id)
         FROM message_deliveries d WHERE d.user_id = NEW.id AND e.entity_id = d.message_id AND e.type = 'message.sent';
         PERFORM set_config('worksmith.erasing', before, true);
         UPDATE message_deliveries SET removed_at = clock_timestamp() WHERE user_id = NEW.id AND removed_at IS NULL;
         WITH closed AS (
           UPDATE messages SET closed_to_sender = true WHERE sender_id = NEW.resource_id AND NOT closed_to_sender
           RETURNING id)
         UPDATE entities x SET owner_user_id = NULL FROM closed WHERE x.id = closed.id;
         DELETE FROM feed_audience WHERE resource_id = NEW.resource_id AND is_message;
         UPDATE feed SET place = 'administrators' WHERE place = NEW.id AND entity_type = 'message';
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_close_inbox AFTER UPDATE OF manager_id ON users FOR EACH ROW
         WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id) EXECUTE FUNCTION close_inbox()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER users_close_inbox ON users`,
      `DROP FUNCTION close_inbox`,
      `DROP TRIGGER users_replace_former_administrator ON users`,
      `DROP FUNCTION replace_former_administrator`,
      `CREATE OR REPLACE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql
         SET search_path = public AS $$
       DECLARE
         former text := OLD.user_id;
         organization text := OLD.organization_id;
       BEGIN
         ${endTokens(`made_by = former AND ${ofFormer('user_id')}`)};
         ${REPLACE};
         RETURN NULL;
       END $$`,
      `DROP FUNCTION succeed_manager`,
      `ALTER TABLE messages DROP COLUMN closed_to_sender`,
    ]) {
      await runner.query(statement);
    }
  }
}
