import type { DatabaseObjects } from '../platform/database/schema/database-objects.js';

/** Who reaches which container, with which role, and who acts for whom. */
export const ACCESS_OBJECTS: DatabaseObjects = {
  functions: [
    /** The rank of a role: viewer 1, member 2, admin 3, owner 4. */
    `CREATE FUNCTION role_rank(role text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE role WHEN 'owner' THEN 4 WHEN 'admin' THEN 3 WHEN 'member' THEN 2 ELSE 1 END $$`,
    /** The home organization of an endeavour. */
    `CREATE FUNCTION home_of(endeavour text) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour $$`,
    /**
     * The roles of a person in an endeavour, each with all lower ones, and its stakeholder roles. An agent holds none
     * above those of its manager.
     */
    `CREATE FUNCTION roles_held(person text, endeavour text) RETURNS text[] LANGUAGE sql STABLE SET search_path = public
  AS $$
      SELECT ('{viewer,member,admin,owner}'::text[])[1:(CASE
          WHEN u.manager_id IS NULL OR EXISTS (SELECT 1 FROM users m WHERE m.id = u.manager_id AND m.is_admin)
          THEN coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = endeavour
            AND g.user_id = u.id), 0) ELSE least(coalesce((SELECT max(g.rank) FROM endeavour_grants g
            WHERE g.endeavour_id = endeavour AND g.user_id = u.id), 0), coalesce((SELECT max(g.rank)
            FROM endeavour_grants g WHERE g.endeavour_id = endeavour AND g.user_id = u.manager_id), 0)) END)::integer]
        || coalesce((SELECT s.stakeholder_roles FROM endeavour_members s
          WHERE s.endeavour_id = endeavour AND s.user_id = u.id), '{}')
      FROM users u WHERE u.id = person $$`,
    /** Those of the named containers that the person sees; without names, all organizations that the person reaches. */
    `CREATE FUNCTION containers_reached_by(person text, named text[]) RETURNS SETOF text
      LANGUAGE sql STABLE SET search_path = public AS $$
      WITH grants AS (SELECT DISTINCT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = person),
      organizations AS (SELECT m.organization_id FROM organization_resources m WHERE m.user_id = person)
      SELECT x.id FROM entities x
      WHERE x.id = ANY(named) AND (x.id IN (SELECT endeavour_id FROM grants) OR x.id IN (SELECT organization_id
        FROM organizations)
        OR EXISTS (SELECT 1 FROM users u WHERE u.id = person AND u.is_admin))
      UNION
      SELECT e.organization_id FROM grants JOIN endeavours e ON e.id = grants.endeavour_id
      WHERE cardinality(named) = 0 AND e.organization_id IS NOT NULL
      UNION
      SELECT organization_id FROM organizations WHERE cardinality(named) = 0 $$`,
    /** The resource of the person for whom a resource acts: the manager of an agent, otherwise itself. */
    `CREATE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce((SELECT coalesce(m.resource_id, u.resource_id) FROM users u LEFT JOIN users m
        ON m.id = u.manager_id
                       WHERE u.resource_id = resource), resource) $$`,
    /** The person for whom a resource acted at that time. */
    `CREATE FUNCTION person_at(resource text, moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce((SELECT m.resource_id FROM users a JOIN former_managers f ON f.agent_id = a.id
          JOIN users m ON m.id = f.manager_id
        WHERE a.resource_id = resource AND f.ended_at > moment AND coalesce(f.began_at, '-infinity') <= moment
        ORDER BY f.ended_at LIMIT 1), person_behind(resource)) $$`,
    /** The people for whom a resource acted during a span of time, with former managers of an agent. */
    `CREATE FUNCTION people_behind(resource text, since timestamptz, until timestamptz) RETURNS SETOF text
      LANGUAGE sql STABLE AS $$
        SELECT person_behind(resource)
        UNION SELECT m.resource_id FROM users a JOIN former_managers f ON f.agent_id = a.id JOIN users m
          ON m.id = f.manager_id
          WHERE a.resource_id = resource AND f.ended_at >= since AND coalesce(f.began_at, '-infinity') <= until $$`,
    /**
     * The highest rank that an agent may use in an endeavour: the lowest of its manager's and of the person's who made its
     * token; null if one of them has none there. A function, because the plan of a search mentions grants 40 times.
     */
    `CREATE FUNCTION confined.rank_limit(endeavour text) RETURNS integer
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN (SELECT CASE WHEN bool_and(own.rank IS NOT NULL) THEN min(own.rank) END
          FROM unnest(ARRAY[current_setting('worksmith.manager', true), current_setting('worksmith.maker', true)]) person,
            LATERAL (SELECT max(g.rank) AS rank FROM public.endeavour_grants g
              WHERE g.endeavour_id = endeavour AND g.user_id = person) own
          WHERE person <> '');
      END $$`,
    /** The same for the role of an agent in an organization. */
    `CREATE FUNCTION confined.role_limit(organization text) RETURNS integer
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN (SELECT CASE WHEN bool_and(own.rank IS NOT NULL) THEN min(own.rank) END
          FROM unnest(ARRAY[current_setting('worksmith.manager', true), current_setting('worksmith.maker', true)]) person,
            LATERAL (SELECT max(public.role_rank(m.role)) AS rank FROM public.organization_resources m
              WHERE m.organization_id = organization AND m.user_id = person) own
          WHERE person <> '');
      END $$`,
    /**
     * Whether a request that is confined to a container may see or make an entity that is not in it: a member, a resource
     * with work there, and an endeavour or message whose own row does not exist yet.
     */
    `CREATE FUNCTION confined.allows(id text, kind text, is_placed boolean) RETURNS boolean
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
      END $$`,
    /** An access token that ends is a deleted entity. */
    `CREATE FUNCTION delete_ended_token() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE entities SET deleted_at = NEW.ended_at WHERE id = NEW.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$`,
    /** Stores the time at which a link of an endeavour to an organization ended. */
    `CREATE FUNCTION keep_former_link() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO former_links (organization_id, endeavour_id, ended_at)
        VALUES (OLD.organization_id, OLD.endeavour_id, clock_timestamp())
        ON CONFLICT (organization_id, endeavour_id) DO UPDATE SET ended_at = excluded.ended_at;
        RETURN NULL;
      END $$`,
    /** Stores the time at which a membership of a container ended. */
    `CREATE FUNCTION keep_former_member() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO former_members (container_id, user_id, left_at)
        VALUES (to_jsonb(OLD) ->> TG_ARGV[0], OLD.user_id, clock_timestamp())
        ON CONFLICT (container_id, user_id) DO UPDATE SET left_at = excluded.left_at;
        RETURN NULL;
      END $$`,
    /** Stores the time at which a role in a container was lowered. */
    `CREATE FUNCTION keep_lowered_role() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO former_members (container_id, user_id, lowered_at)
        VALUES (to_jsonb(OLD) ->> TG_ARGV[0], OLD.user_id, clock_timestamp())
        ON CONFLICT (container_id, user_id) DO UPDATE SET lowered_at = excluded.lowered_at;
        RETURN NULL;
      END $$`,
  ],
  views: [
    /** The ranks that users hold in endeavours, by membership or by an organization. */
    `CREATE VIEW endeavour_grants AS
      SELECT user_id, endeavour_id, role_rank(role) AS rank, NULL::text AS organization_id FROM endeavour_members
      UNION ALL
      SELECT member.user_id, link.endeavour_id,
             CASE WHEN link.is_home THEN role_rank(member.role) ELSE least(role_rank(member.role), 2) END,
             link.organization_id
      FROM organization_resources member JOIN organization_endeavours link USING (organization_id)
      WHERE member.user_id IS NOT NULL
        AND (NOT link.is_private OR (link.is_home AND role_rank(member.role) >= 3))`,
    /** The resources that an endeavour concerns, because they own or do something of it. */
    `CREATE VIEW endeavour_workers AS
      SELECT endeavour_id, assignee_id AS resource_id, status IN ('planned', 'active') AS is_open
      FROM tasks WHERE assignee_id IS NOT NULL
      UNION ALL SELECT endeavour_id, owner_id, status IN ('planned', 'active') FROM tasks
      UNION ALL SELECT endeavour_id, owner_id, status IN ('open', 'in_progress') FROM demands`,
    /**
     * The schema `confined` comes first in the search path of a transaction that is confined to what one caller may
     * see.
     */
    `CREATE VIEW confined.endeavour_grants AS
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
    `CREATE VIEW confined.organization_resources AS
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
    `CREATE VIEW confined.entities AS
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
    `CREATE VIEW confined.operations AS
      SELECT op.* FROM operations op
      WHERE (current_setting('worksmith.container', true) = ''
        OR op.container_id = current_setting('worksmith.container', true)
        OR op.container_id IN (SELECT e.id FROM endeavours e
          WHERE e.organization_id = current_setting('worksmith.container', true)))
       AND (coalesce(current_setting('worksmith.withheld', true), '') = ''
         OR NOT confined.is_withheld(CASE WHEN op.container_id LIKE 'edv%' THEN op.container_id END, op.container_id))
      WITH CHECK OPTION`,
  ],
  triggers: [
    `CREATE TRIGGER access_tokens_delete_ended AFTER UPDATE OF ended_at ON access_tokens FOR EACH ROW
      WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION delete_ended_token()`,
    `CREATE TRIGGER endeavour_members_former AFTER DELETE ON endeavour_members FOR EACH ROW
      EXECUTE FUNCTION keep_former_member('endeavour_id')`,
    `CREATE TRIGGER endeavour_members_lowered AFTER UPDATE OF role ON endeavour_members FOR EACH ROW
      WHEN (role_rank(NEW.role) < role_rank(OLD.role)) EXECUTE FUNCTION keep_lowered_role('endeavour_id')`,
    `CREATE TRIGGER organization_endeavours_former AFTER DELETE ON organization_endeavours FOR EACH ROW
      EXECUTE FUNCTION keep_former_link()`,
    `CREATE TRIGGER organization_resources_former AFTER DELETE ON organization_resources FOR EACH ROW
      WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION keep_former_member('organization_id')`,
    `CREATE TRIGGER organization_resources_lowered AFTER UPDATE OF role ON organization_resources FOR EACH ROW
      WHEN (OLD.user_id IS NOT NULL AND role_rank(NEW.role) < role_rank(OLD.role))
      EXECUTE FUNCTION keep_lowered_role('organization_id')`,
  ],
};
