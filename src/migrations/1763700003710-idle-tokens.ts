import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calendar programs cannot renew a token, so those without a set end expire only when they are not used for 400 days.
 * Those of before whose end was not chosen, which is 90 days after they were made, get the same.
 */
export class IdleTokens1763700003710 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_tokens ADD COLUMN idle_days integer');
    await runner.query(
      'ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_idle_days_check CHECK (idle_days > 0) NOT VALID',
    );
    await runner.query('ALTER TABLE access_tokens VALIDATE CONSTRAINT access_tokens_idle_days_check');
    await runner.query(`UPDATE access_tokens a SET idle_days = 400,
        expires_at = greatest(expires_at, coalesce(
          (SELECT used.used_at FROM access_token_uses used WHERE used.token_id = a.id), created_at) + interval '400 days')
      WHERE kind = 'calendar' AND ended_at IS NULL AND expires_at > now()
        AND expires_at BETWEEN created_at + interval '90 days' - interval '1 minute'
          AND created_at + interval '90 days' + interval '1 minute'`);
    // Renders the events of tokens that a succession ends.
    await runner.query(`CREATE OR REPLACE FUNCTION succeed_manager(former text, organization text) RETURNS void LANGUAGE plpgsql
        SET search_path = public AS $$
      BEGIN
        WITH ended AS (
          UPDATE access_tokens SET ended_at = clock_timestamp(), revision = revision + 1, updated_at = clock_timestamp()
          WHERE ended_at IS NULL
            AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = organization AND a.manager_id = former)
          RETURNING *),
        worthless AS (DELETE FROM access_token_secrets s USING ended WHERE s.token_id = ended.id),
        news AS (INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, audience, previous, data)
        SELECT new_id('evt'), 'access_token.deleted', 'access_token', a.id, NULL, '{ended_at}',
          '{}', '{"ended_at": null}',
          (SELECT row_to_json(wire) FROM (SELECT a.id AS "id", a.user_id AS "user_id", a.kind AS "kind", a.name AS "name", a.scopes AS "scopes", a.organization_id AS "organization_id", a.endeavour_id AS "endeavour_id", to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expires_at", a.idle_days AS "idle_days", to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "created_at", to_char(a.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updated_at", a.revision AS "revision") wire)
        FROM ended a ORDER BY a.id RETURNING *)
        INSERT INTO audit_entries (id, action, user_id, entity_type, entity_id, organization_id, details)
        SELECT new_id('aud'), n.type, n.data ->> 'user_id', n.entity_type, n.entity_id, organization,
          only_keys(n.data, '{endeavour_id,organization_id,scopes,user_id}') || '{"before": {}}'
        FROM news n;
        WITH replaced AS (
          UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = (
            SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
            WHERE m.organization_id = organization AND m.role = 'owner' AND m.user_id <> former
              AND o.status = 'active' AND NOT o.is_managed
            ORDER BY m.joined_at, m.user_id LIMIT 1)
          WHERE agent_of = organization AND manager_id = former RETURNING *)
        INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, audience, previous, data)
        SELECT new_id('evt'), 'user.updated', 'user', u.id, NULL, '{manager_id}',
          '{}', json_build_object('manager_id', former),
          (SELECT row_to_json(wire) FROM (SELECT u.id AS "id", u.name AS "name", CASE WHEN NOT u.is_managed THEN u.email END AS "email", u.status AS "status", u.user_type AS "user_type", u.lang AS "lang", u.timezone AS "timezone", u.email_copy AS "email_copy", u.is_admin AS "is_admin", u.tier AS "tier", (SELECT t.name FROM tiers t WHERE t.id = u.tier) AS "tier_name", u.resource_id AS "resource_id", u.external_id AS "external_id", u.login_count AS "login_count", to_char(u.last_active_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "last_active_at", u.metadata AS "metadata", to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "created_at", to_char(u.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updated_at", u.revision AS "revision") wire)
        FROM replaced u ORDER BY u.id;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION public.succeed_manager(former text, organization text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
      BEGIN
        WITH ended AS (
          UPDATE access_tokens SET ended_at = clock_timestamp(), revision = revision + 1, updated_at = clock_timestamp()
          WHERE ended_at IS NULL
            AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = organization AND a.manager_id = former)
          RETURNING *),
        worthless AS (DELETE FROM access_token_secrets s USING ended WHERE s.token_id = ended.id),
        news AS (INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, audience, previous, data)
        SELECT new_id('evt'), 'access_token.deleted', 'access_token', a.id, NULL, '{ended_at}',
          '{}', '{"ended_at": null}',
          (SELECT row_to_json(wire) FROM (SELECT a.id AS "id", a.user_id AS "user_id", a.kind AS "kind", a.name AS "name", a.scopes AS "scopes", a.organization_id AS "organization_id", a.endeavour_id AS "endeavour_id", to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expires_at", to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "created_at", to_char(a.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updated_at", a.revision AS "revision") wire)
        FROM ended a ORDER BY a.id RETURNING *)
        INSERT INTO audit_entries (id, action, user_id, entity_type, entity_id, organization_id, details)
        SELECT new_id('aud'), n.type, n.data ->> 'user_id', n.entity_type, n.entity_id, organization,
          only_keys(n.data, '{endeavour_id,organization_id,scopes,user_id}') || '{"before": {}}'
        FROM news n;
        WITH replaced AS (
          UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = (
            SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
            WHERE m.organization_id = organization AND m.role = 'owner' AND m.user_id <> former
              AND o.status = 'active' AND NOT o.is_managed
            ORDER BY m.joined_at, m.user_id LIMIT 1)
          WHERE agent_of = organization AND manager_id = former RETURNING *)
        INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, audience, previous, data)
        SELECT new_id('evt'), 'user.updated', 'user', u.id, NULL, '{manager_id}',
          '{}', json_build_object('manager_id', former),
          (SELECT row_to_json(wire) FROM (SELECT u.id AS "id", u.name AS "name", CASE WHEN NOT u.is_managed THEN u.email END AS "email", u.status AS "status", u.user_type AS "user_type", u.lang AS "lang", u.timezone AS "timezone", u.email_copy AS "email_copy", u.is_admin AS "is_admin", u.tier AS "tier", (SELECT t.name FROM tiers t WHERE t.id = u.tier) AS "tier_name", u.resource_id AS "resource_id", u.external_id AS "external_id", u.login_count AS "login_count", to_char(u.last_active_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "last_active_at", u.metadata AS "metadata", to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "created_at", to_char(u.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updated_at", u.revision AS "revision") wire)
        FROM replaced u ORDER BY u.id;
      END $function$`);
    await runner.query('ALTER TABLE access_tokens DROP COLUMN idle_days');
  }
}
