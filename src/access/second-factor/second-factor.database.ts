import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** What organizations withhold that require a second factor (second-factor.ts). */
export const SECOND_FACTOR_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Whether the person reaches an organization that requires a second factor, or something that it is the home of;
     * `proved_to` is the only one that does not count.
     */
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
    /**
     * Whether one of the ids is that of something which organizations withhold from the person. From an administrator, they
     * withhold what the rights of an administrator alone would show.
     */
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
    /**
     * Whether the home of an entity, from its endeavour or its organization, requires a second factor that the request has
     * not proved. Evaluated for the rows of a request from which organizations are withheld.
     */
    `CREATE FUNCTION confined.is_withheld(endeavour text, organization text) RETURNS boolean
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN EXISTS (SELECT 1 FROM public.organizations o
          WHERE o.id = CASE WHEN endeavour IS NULL THEN organization
              ELSE (SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour) END
            AND (o.id = current_setting('worksmith.unreached', true) OR (o.second_factor = 'required'
              AND o.id <> current_setting('worksmith.withheld', true)
              AND current_setting('worksmith.withheld', true) <> 'none')));
      END $$`,
    /**
     * The organization that requires the person to sign in with its provider, if that was longer than 30 days ago; its access
     * tokens reach it no more.
     */
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
    /** Whether one of the ids is that of something in the organization that the person reaches. */
    `CREATE FUNCTION names_within(person text, named text[], organization text) RETURNS boolean
      LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT EXISTS (SELECT 1 FROM entities x LEFT JOIN endeavours e ON e.id = x.endeavour_id
          WHERE x.id = ANY(named) AND x.deleted_at IS NULL
            AND CASE WHEN x.endeavour_id IS NULL THEN x.organization_id = organization
              ELSE e.organization_id = organization AND EXISTS (SELECT 1 FROM endeavour_grants g
                WHERE g.endeavour_id = x.endeavour_id AND g.user_id = person) END) $$`,
    /** Tells all tiers what one more organization asks. It is never taken back, because others can ask for it at that time. */
    `CREATE FUNCTION tell_tiers_of_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tiers SET may_ask_second_factor = true WHERE NOT may_ask_second_factor;
        RETURN NULL;
      END $$`,
    /** The same for a required provider. */
    `CREATE FUNCTION tell_tiers_of_provider() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tiers SET may_ask_provider = true WHERE NOT may_ask_provider;
        RETURN NULL;
      END $$`,
  ],
  views: [],
  triggers: [
    `CREATE TRIGGER organizations_tell_tiers AFTER INSERT OR UPDATE OF second_factor ON organizations FOR EACH ROW
      WHEN (NEW.second_factor = 'required') EXECUTE FUNCTION tell_tiers_of_second_factor()`,
    `CREATE TRIGGER identity_providers_tell_tiers AFTER INSERT OR UPDATE OF required ON identity_providers FOR EACH ROW
      WHEN (NEW.required) EXECUTE FUNCTION tell_tiers_of_provider()`,
  ],
};
