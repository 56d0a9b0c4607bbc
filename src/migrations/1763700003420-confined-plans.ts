import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ConfinedPlans1763700003420 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION confined.rank_limit(endeavour text) RETURNS integer
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN (SELECT CASE WHEN bool_and(own.rank IS NOT NULL) THEN min(own.rank) END
          FROM unnest(ARRAY[current_setting('worksmith.manager', true), current_setting('worksmith.maker', true)]) person,
            LATERAL (SELECT max(g.rank) AS rank FROM public.endeavour_grants g
              WHERE g.endeavour_id = endeavour AND g.user_id = person) own
          WHERE person <> '');
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION confined.role_limit(organization text) RETURNS integer
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN (SELECT CASE WHEN bool_and(own.rank IS NOT NULL) THEN min(own.rank) END
          FROM unnest(ARRAY[current_setting('worksmith.manager', true), current_setting('worksmith.maker', true)]) person,
            LATERAL (SELECT max(public.role_rank(m.role)) AS rank FROM public.organization_resources m
              WHERE m.organization_id = organization AND m.user_id = person) own
          WHERE person <> '');
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION confined.allows(id text, kind text, is_placed boolean) RETURNS boolean
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      DECLARE
        container text := current_setting('worksmith.container', true);
        person text;
      BEGIN
        IF kind = 'endeavour' THEN
          RETURN NOT EXISTS (SELECT 1 FROM public.endeavours e WHERE e.id = allows.id);
        ELSIF kind = 'message' THEN
          RETURN NOT EXISTS (SELECT 1 FROM public.messages m WHERE m.id = allows.id AND (m.scope_id IS NULL
            OR NOT (m.scope_id = container
              OR m.scope_id IN (SELECT e.id FROM public.endeavours e WHERE e.organization_id = container))));
        END IF;
        IF NOT is_placed THEN
          person := coalesce((SELECT r.user_id FROM public.resources r WHERE r.id = allows.id), allows.id);
          IF EXISTS (SELECT 1 FROM confined.endeavour_grants g WHERE g.user_id = person)
            OR EXISTS (SELECT 1 FROM confined.organization_resources m WHERE m.user_id = allows.id)
            OR EXISTS (SELECT 1 FROM confined.organization_resources m WHERE m.resource_id = allows.id)
          THEN RETURN true; END IF;
        END IF;
        RETURN kind = 'resource' AND EXISTS (SELECT 1 FROM public.endeavour_workers w
          WHERE w.resource_id = allows.id AND (w.endeavour_id = container
            OR w.endeavour_id IN (SELECT e.id FROM public.endeavours e WHERE e.organization_id = container)));
      END $$`);
    await runner.query(`CREATE OR REPLACE VIEW confined.endeavour_grants AS
       SELECT g.user_id, g.endeavour_id,
         CASE WHEN g.user_id = nullif(current_setting('worksmith.agent', true), '')
           THEN least(g.rank, confined.rank_limit(g.endeavour_id)) ELSE g.rank END AS rank,
         g.organization_id
       FROM endeavour_grants g
       WHERE (current_setting('worksmith.container', true) = ''
         OR g.endeavour_id = current_setting('worksmith.container', true)
         OR g.endeavour_id IN (SELECT e.id FROM endeavours e
           WHERE e.organization_id = current_setting('worksmith.container', true)))
         AND ((g.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
           OR confined.rank_limit(g.endeavour_id) IS NOT NULL)`);
    await runner.query(`CREATE OR REPLACE VIEW confined.organization_resources AS
       SELECT m.* FROM organization_resources m
       WHERE (current_setting('worksmith.container', true) = ''
         OR m.organization_id = current_setting('worksmith.container', true)
           OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
                 WHERE l.endeavour_id = current_setting('worksmith.container', true))
               AND m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')))
         AND ((m.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
           OR confined.role_limit(m.organization_id) >= role_rank(m.role))
       WITH CHECK OPTION`);
    await runner.query(`CREATE OR REPLACE VIEW confined.entities AS
      SELECT x.* FROM entities x
      WHERE (x.kind <> 'message' OR nullif(current_setting('worksmith.maker', true), '') IS NULL
         OR NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = x.id))
       AND (current_setting('worksmith.container', true) = ''
        OR x.endeavour_id = current_setting('worksmith.container', true)
        OR x.endeavour_id IN (SELECT e.id FROM endeavours e
          WHERE e.organization_id = current_setting('worksmith.container', true))
        OR x.organization_id = current_setting('worksmith.container', true)
        OR (CASE WHEN x.kind IN ('endeavour', 'message') THEN x.deleted_at IS NULL ELSE x.kind IN ('user', 'resource') END
          AND confined.allows(x.id, x.kind,
            x.endeavour_id IS NOT NULL OR x.organization_id IS NOT NULL OR x.is_global)))
      WITH CHECK OPTION`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE VIEW confined.entities AS  SELECT id,
    kind,
    endeavour_id,
    organization_id,
    owner_user_id,
    is_global,
    title,
    deleted_at,
    parent_id
   FROM entities x
  WHERE (((kind <> 'message'::text) OR (NULLIF(current_setting('worksmith.maker'::text, true), ''::text) IS NULL) OR (NOT (EXISTS ( SELECT 1
           FROM messages m
          WHERE (m.id = x.id))))) AND ((current_setting('worksmith.container'::text, true) = ''::text) OR ((endeavour_id = current_setting('worksmith.container'::text, true)) OR (endeavour_id IN ( SELECT e.id
           FROM endeavours e
          WHERE (e.organization_id = current_setting('worksmith.container'::text, true))))) OR (organization_id = current_setting('worksmith.container'::text, true)) OR ((kind = ANY (ARRAY['user'::text, 'resource'::text])) AND (endeavour_id IS NULL) AND (organization_id IS NULL) AND (NOT is_global) AND ((EXISTS ( SELECT 1
           FROM confined.endeavour_grants g
          WHERE ((g.user_id = x.id) OR (g.user_id = ( SELECT r.user_id
                   FROM resources r
                  WHERE (r.id = x.id)))))) OR (EXISTS ( SELECT 1
           FROM confined.organization_resources m
          WHERE ((m.user_id = x.id) OR (m.resource_id = x.id)))))) OR ((kind = 'resource'::text) AND (EXISTS ( SELECT 1
           FROM endeavour_workers w
          WHERE ((w.resource_id = x.id) AND ((w.endeavour_id = current_setting('worksmith.container'::text, true)) OR (w.endeavour_id IN ( SELECT e.id
                   FROM endeavours e
                  WHERE (e.organization_id = current_setting('worksmith.container'::text, true))))))))) OR ((kind = 'endeavour'::text) AND (NOT (EXISTS ( SELECT 1
           FROM endeavours e
          WHERE (e.id = x.id)))) AND (deleted_at IS NULL)) OR ((kind = 'message'::text) AND (deleted_at IS NULL) AND (NOT (EXISTS ( SELECT 1
           FROM messages m
          WHERE ((m.id = x.id) AND ((m.scope_id IS NULL) OR (NOT ((m.scope_id = current_setting('worksmith.container'::text, true)) OR ((m.scope_id = current_setting('worksmith.container'::text, true)) OR (m.scope_id IN ( SELECT e.id
                   FROM endeavours e
                  WHERE (e.organization_id = current_setting('worksmith.container'::text, true)))))))))))))));`);
    await runner.query(`CREATE OR REPLACE VIEW confined.organization_resources AS  SELECT organization_id,
    resource_id,
    user_id,
    role,
    joined_at,
    added_by,
    has_member_id,
    member_of_id
   FROM organization_resources m
  WHERE (((current_setting('worksmith.container'::text, true) = ''::text) OR (organization_id = current_setting('worksmith.container'::text, true)) OR ((organization_id IN ( SELECT l.organization_id
           FROM organization_endeavours l
          WHERE (l.endeavour_id = current_setting('worksmith.container'::text, true)))) AND (user_id IS DISTINCT FROM NULLIF(current_setting('worksmith.caller'::text, true), ''::text)))) AND ((user_id IS DISTINCT FROM NULLIF(current_setting('worksmith.agent'::text, true), ''::text)) OR (((NULLIF(current_setting('worksmith.manager'::text, true), ''::text) IS NULL) OR (EXISTS ( SELECT 1
           FROM organization_resources own
          WHERE ((own.organization_id = m.organization_id) AND (own.user_id = NULLIF(current_setting('worksmith.manager'::text, true), ''::text)) AND (role_rank(own.role) >= role_rank(m.role)))))) AND ((NULLIF(current_setting('worksmith.maker'::text, true), ''::text) IS NULL) OR (EXISTS ( SELECT 1
           FROM organization_resources own
          WHERE ((own.organization_id = m.organization_id) AND (own.user_id = NULLIF(current_setting('worksmith.maker'::text, true), ''::text)) AND (role_rank(own.role) >= role_rank(m.role)))))))));`);
    await runner.query(`CREATE OR REPLACE VIEW confined.endeavour_grants AS  SELECT user_id,
    endeavour_id,
        CASE
            WHEN (user_id = NULLIF(current_setting('worksmith.agent'::text, true), ''::text)) THEN LEAST(rank,
            CASE
                WHEN (NULLIF(current_setting('worksmith.manager'::text, true), ''::text) IS NOT NULL) THEN ( SELECT max(m.rank) AS max
                   FROM endeavour_grants m
                  WHERE ((m.endeavour_id = g.endeavour_id) AND (m.user_id = NULLIF(current_setting('worksmith.manager'::text, true), ''::text))))
                ELSE NULL::integer
            END,
            CASE
                WHEN (NULLIF(current_setting('worksmith.maker'::text, true), ''::text) IS NOT NULL) THEN ( SELECT max(m.rank) AS max
                   FROM endeavour_grants m
                  WHERE ((m.endeavour_id = g.endeavour_id) AND (m.user_id = NULLIF(current_setting('worksmith.maker'::text, true), ''::text))))
                ELSE NULL::integer
            END)
            ELSE rank
        END AS rank,
    organization_id
   FROM endeavour_grants g
  WHERE (((current_setting('worksmith.container'::text, true) = ''::text) OR ((endeavour_id = current_setting('worksmith.container'::text, true)) OR (endeavour_id IN ( SELECT e.id
           FROM endeavours e
          WHERE (e.organization_id = current_setting('worksmith.container'::text, true)))))) AND ((user_id IS DISTINCT FROM NULLIF(current_setting('worksmith.agent'::text, true), ''::text)) OR (((NULLIF(current_setting('worksmith.manager'::text, true), ''::text) IS NULL) OR (EXISTS ( SELECT 1
           FROM endeavour_grants m
          WHERE ((m.endeavour_id = g.endeavour_id) AND (m.user_id = NULLIF(current_setting('worksmith.manager'::text, true), ''::text)))))) AND ((NULLIF(current_setting('worksmith.maker'::text, true), ''::text) IS NULL) OR (EXISTS ( SELECT 1
           FROM endeavour_grants m
          WHERE ((m.endeavour_id = g.endeavour_id) AND (m.user_id = NULLIF(current_setting('worksmith.maker'::text, true), ''::text)))))))));`);
    await runner.query(`DROP FUNCTION confined.allows`);
    await runner.query(`DROP FUNCTION confined.role_limit`);
    await runner.query(`DROP FUNCTION confined.rank_limit`);
  }
}
