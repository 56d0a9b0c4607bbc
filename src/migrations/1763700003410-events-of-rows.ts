import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EventsOfRows1763700003410 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
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
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION end_endorsements(endeavour text, resource text) RETURNS void LANGUAGE sql AS $$
      WITH ended AS (
        UPDATE dod_endorsements d SET status = 'withdrawn', revision = d.revision + 1, updated_at = clock_timestamp()
        WHERE d.status = 'active' AND (endeavour IS NULL OR d.endeavour_id = endeavour)
          AND (resource IS NULL OR d.resource_id = resource)
          AND NOT EXISTS (SELECT 1 FROM endeavour_grants g JOIN users u ON u.id = g.user_id
            WHERE g.endeavour_id = d.endeavour_id AND u.resource_id = d.resource_id)
        RETURNING d.*)
      INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, audience, previous, data)
        SELECT new_id('evt'), 'dod_endorsement.withdrawn', 'dod_endorsement', d.id, d.endeavour_id, '{status}',
          ARRAY[d.resource_id]::text[], '{"status": "active"}',
          (SELECT row_to_json(wire) FROM (SELECT d.id AS "id", d.policy_id AS "policy_id", d.policy_version AS "policy_version", d.resource_id AS "resource_id", d.endeavour_id AS "endeavour_id", d.status AS "status", to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "endorsed_at", to_char(d.superseded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "superseded_at", to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "created_at", to_char(d.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updated_at", d.revision AS "revision") wire)
        FROM ended d ORDER BY d.id $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION public.end_endorsements(endeavour text, resource text)
 RETURNS void
 LANGUAGE sql
AS $function$
         WITH ended AS (
           UPDATE dod_endorsements d SET status = 'withdrawn', revision = d.revision + 1, updated_at = clock_timestamp()
           WHERE d.status = 'active' AND (endeavour IS NULL OR d.endeavour_id = endeavour)
             AND (resource IS NULL OR d.resource_id = resource)
             AND NOT EXISTS (SELECT 1 FROM endeavour_grants g JOIN users u ON u.id = g.user_id
               WHERE g.endeavour_id = d.endeavour_id AND u.resource_id = d.resource_id)
           RETURNING d.*)
         INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, previous, data)
         SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'dod_endorsement.withdrawn', 'dod_endorsement', d.id,
           d.endeavour_id, '{status}', '{"status": "active"}',
           json_build_object('id', d.id, 'policy_id', d.policy_id, 'policy_version', d.policy_version,
             'resource_id', d.resource_id, 'endeavour_id', d.endeavour_id, 'status', d.status,
             'endorsed_at', to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'superseded_at', NULL, 'created_at', to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'updated_at', to_char(d.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'revision', d.revision)
         FROM ended d $function$`);
    await runner.query(`CREATE OR REPLACE FUNCTION public.succeed_manager(former text, organization text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
       BEGIN
         WITH ended AS (
    UPDATE access_tokens SET ended_at = clock_timestamp(), revision = revision + 1, updated_at = clock_timestamp()
    WHERE ended_at IS NULL AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = organization AND a.manager_id = former) RETURNING *),
  worthless AS (DELETE FROM access_token_secrets s USING ended WHERE s.token_id = ended.id),
  news AS (
    INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
    SELECT new_id('evt'), 'access_token.deleted', 'access_token', a.id, '{ended_at}', '{"ended_at": null}',
      json_build_object('id', a.id, 'user_id', a.user_id, 'kind', a.kind, 'name', a.name, 'scopes', a.scopes,
        'organization_id', a.organization_id, 'endeavour_id', a.endeavour_id, 'expires_at', to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'created_at', to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(a.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'revision', a.revision)
    FROM ended a ORDER BY a.id RETURNING *)
  INSERT INTO audit_entries (id, action, user_id, entity_type, entity_id, organization_id, details)
  SELECT new_id('aud'), n.type, n.data ->> 'user_id', n.entity_type, n.entity_id, organization,
    only_keys(n.data, '{endeavour_id,organization_id,scopes,user_id}') || '{"before": {}}'
  FROM news n;
         WITH replaced AS (
    UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = (SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
  WHERE m.organization_id = organization AND m.role = 'owner' AND m.user_id <> former
    AND o.status = 'active' AND NOT o.is_managed
  ORDER BY m.joined_at, m.user_id LIMIT 1)
    WHERE agent_of = organization AND manager_id = former RETURNING *)
  INSERT INTO events (id, type, entity_type, entity_id, changed, previous, data)
  SELECT new_id('evt'), 'user.updated', 'user', u.id, '{manager_id}', json_build_object('manager_id', former),
    json_build_object('id', u.id, 'name', u.name, 'email', NULL, 'status', u.status, 'user_type', u.user_type,
      'lang', u.lang, 'timezone', u.timezone, 'email_copy', u.email_copy, 'is_admin', u.is_admin, 'tier', u.tier,
      'tier_name', (SELECT t.name FROM tiers t WHERE t.id = u.tier), 'resource_id', u.resource_id,
      'external_id', u.external_id, 'login_count', u.login_count, 'last_active_at', to_char(u.last_active_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'metadata', u.metadata, 'created_at', to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(u.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'revision', u.revision)
  FROM replaced u ORDER BY u.id;
       END $function$`);
  }
}
