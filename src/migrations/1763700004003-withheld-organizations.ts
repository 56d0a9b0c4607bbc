import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE FUNCTION reaches_second_factor(person text, proved_to text) RETURNS boolean
      LANGUAGE sql STABLE SET search_path = public AS $$
        WITH asking AS (SELECT o.id FROM organizations o
          WHERE o.second_factor = 'required' AND o.id IS DISTINCT FROM proved_to)
        SELECT EXISTS (SELECT 1 FROM organization_resources m JOIN asking ON asking.id = m.organization_id
            WHERE m.user_id = person)
          OR EXISTS (SELECT 1 FROM users u, asking WHERE u.id = person AND u.is_admin)
          OR EXISTS (SELECT 1 FROM endeavour_grants g JOIN endeavours e ON e.id = g.endeavour_id
            JOIN asking ON asking.id = e.organization_id WHERE g.user_id = person)
          OR EXISTS (SELECT 1 FROM organization_resources m JOIN organization_resources shared
              ON shared.organization_id = m.organization_id AND shared.user_id IS NULL
            JOIN resources r ON r.id = shared.resource_id JOIN asking ON asking.id = r.organization_id
            WHERE m.user_id = person) $$`,
  `CREATE FUNCTION names_withheld(person text, named text[], proved_to text) RETURNS boolean
      LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT EXISTS (SELECT 1 FROM entities x LEFT JOIN endeavours e ON e.id = x.endeavour_id
          JOIN organizations o ON o.id = CASE WHEN x.endeavour_id IS NULL THEN x.organization_id
            ELSE e.organization_id END
          CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM users u WHERE u.id = person AND u.is_admin) AS by_rights,
            CASE WHEN x.endeavour_id IS NULL THEN EXISTS (SELECT 1 FROM organization_resources m
                WHERE m.organization_id = o.id AND m.user_id = person)
              ELSE EXISTS (SELECT 1 FROM endeavour_grants g
                WHERE g.endeavour_id = x.endeavour_id AND g.user_id = person) END AS by_role) reached
          WHERE x.id = ANY(named) AND x.deleted_at IS NULL
            AND CASE WHEN o.second_factor = 'required' AND o.id IS DISTINCT FROM proved_to
              THEN reached.by_rights OR reached.by_role ELSE reached.by_rights AND NOT reached.by_role END) $$`,
  `CREATE FUNCTION confined.is_withheld(endeavour text, organization text) RETURNS boolean
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN EXISTS (SELECT 1 FROM public.organizations o
          WHERE o.id = CASE WHEN endeavour IS NULL THEN organization
              ELSE (SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour) END
            AND o.second_factor = 'required'
            AND o.id <> current_setting('worksmith.withheld', true));
      END $$`,
  `CREATE OR REPLACE VIEW confined.endeavour_grants AS
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
           OR confined.rank_limit(g.endeavour_id) IS NOT NULL)
         AND (coalesce(current_setting('worksmith.withheld', true), '') = ''
           OR g.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')
           OR NOT confined.is_withheld(g.endeavour_id, NULL))`,
  `CREATE OR REPLACE VIEW confined.organization_resources AS
       SELECT m.* FROM organization_resources m
       WHERE (current_setting('worksmith.container', true) = ''
         OR m.organization_id = current_setting('worksmith.container', true)
           OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
                 WHERE l.endeavour_id = current_setting('worksmith.container', true))
               AND m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')))
         AND ((m.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
           OR confined.role_limit(m.organization_id) >= role_rank(m.role))
         AND (coalesce(current_setting('worksmith.withheld', true), '') = ''
           OR m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')
           OR NOT confined.is_withheld(NULL, m.organization_id))
       WITH CHECK OPTION`,
  `CREATE OR REPLACE VIEW confined.entities AS
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
       AND (coalesce(current_setting('worksmith.withheld', true), '') = ''
         OR NOT confined.is_withheld(x.endeavour_id, x.organization_id))
      WITH CHECK OPTION`,
  `CREATE OR REPLACE VIEW confined.operations AS
      SELECT op.* FROM operations op
      WHERE (current_setting('worksmith.container', true) = ''
        OR op.container_id = current_setting('worksmith.container', true)
        OR op.container_id IN (SELECT e.id FROM endeavours e
          WHERE e.organization_id = current_setting('worksmith.container', true)))
       AND (coalesce(current_setting('worksmith.withheld', true), '') = ''
         OR NOT confined.is_withheld(CASE WHEN op.container_id LIKE 'edv%' THEN op.container_id END, op.container_id))
      WITH CHECK OPTION`,
];

const DOWN = [
  `CREATE OR REPLACE VIEW confined.endeavour_grants AS
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
           OR confined.rank_limit(g.endeavour_id) IS NOT NULL)`,
  `CREATE OR REPLACE VIEW confined.organization_resources AS
       SELECT m.* FROM organization_resources m
       WHERE (current_setting('worksmith.container', true) = ''
         OR m.organization_id = current_setting('worksmith.container', true)
           OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
                 WHERE l.endeavour_id = current_setting('worksmith.container', true))
               AND m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')))
         AND ((m.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
           OR confined.role_limit(m.organization_id) >= role_rank(m.role))
       WITH CHECK OPTION`,
  `CREATE OR REPLACE VIEW confined.entities AS
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
      WITH CHECK OPTION`,
  `CREATE OR REPLACE VIEW confined.operations AS
      SELECT op.* FROM operations op
      WHERE current_setting('worksmith.container', true) = ''
        OR op.container_id = current_setting('worksmith.container', true)
        OR op.container_id IN (SELECT e.id FROM endeavours e
          WHERE e.organization_id = current_setting('worksmith.container', true))
      WITH CHECK OPTION`,
  `DROP FUNCTION confined.is_withheld(text, text)`,
  `DROP FUNCTION names_withheld(text, text[], text)`,
  `DROP FUNCTION reaches_second_factor(text, text)`,
];

/** What organizations withhold that require a second factor. */
export class WithheldOrganizations1763700004003 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
