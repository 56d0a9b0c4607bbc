import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE FUNCTION organization_left_alone(person text) RETURNS text
      LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT p.organization_id FROM users u JOIN organization_resources m ON m.user_id = u.id
          JOIN identity_providers p ON p.organization_id = m.organization_id AND p.required AND p.is_enabled
          JOIN domains d ON d.organization_id = p.organization_id AND d.proved_at IS NOT NULL
            AND d.domain = substring(u.email FROM '[^@]+$') AND d.domain = ANY(p.domains)
        WHERE u.id = person AND NOT u.is_admin AND NOT EXISTS (SELECT 1 FROM identities i
          JOIN identity_providers own ON own.id = i.provider_id
          WHERE i.user_id = person AND i.ended_at IS NULL AND own.organization_id = p.organization_id AND own.required
            AND coalesce(i.last_used_at, i.created_at) > now() - interval '30 days')
        LIMIT 1 $$`,
  `CREATE FUNCTION names_within(person text, named text[], organization text) RETURNS boolean
      LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT EXISTS (SELECT 1 FROM entities x LEFT JOIN endeavours e ON e.id = x.endeavour_id
          WHERE x.id = ANY(named) AND x.deleted_at IS NULL
            AND CASE WHEN x.endeavour_id IS NULL THEN x.organization_id = organization
              ELSE e.organization_id = organization AND EXISTS (SELECT 1 FROM endeavour_grants g
                WHERE g.endeavour_id = x.endeavour_id AND g.user_id = person) END) $$`,
  `CREATE OR REPLACE FUNCTION confined.is_withheld(endeavour text, organization text) RETURNS boolean
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN EXISTS (SELECT 1 FROM public.organizations o
          WHERE o.id = CASE WHEN endeavour IS NULL THEN organization
              ELSE (SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour) END
            AND (o.id = current_setting('worksmith.unreached', true) OR (o.second_factor = 'required'
              AND o.id <> current_setting('worksmith.withheld', true)
              AND current_setting('worksmith.withheld', true) <> 'none')));
      END $$`,
];

const DOWN = [
  `CREATE OR REPLACE FUNCTION confined.is_withheld(endeavour text, organization text) RETURNS boolean
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN EXISTS (SELECT 1 FROM public.organizations o
          WHERE o.id = CASE WHEN endeavour IS NULL THEN organization
              ELSE (SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour) END
            AND o.second_factor = 'required'
            AND o.id <> current_setting('worksmith.withheld', true));
      END $$`,
  `DROP FUNCTION names_within(text, text[], text)`,
  `DROP FUNCTION organization_left_alone(text)`,
];

/** What access tokens no longer reach without a sign-in that an organization requires. */
export class SignInsThatOrganizationsRequire1763700004011 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
