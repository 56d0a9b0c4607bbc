-- What the tables of the baseline need, and its functions. This file is not changed any more; the text of a function of
-- today, and what it is for, is in the *.database.ts file of its feature.

-- The bodies name tables that do not exist yet.
SET LOCAL check_function_bodies = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- Views and functions through which confined requests look entities up (platform/database/transactions/confinement.ts).
CREATE SCHEMA confined;
-- Sorts texts as people expect, in no particular language and with numbers by their value.
CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');
-- Words as they are written, for searches by the beginning of a word.
CREATE TEXT SEARCH DICTIONARY unstemmed (TEMPLATE = pg_catalog.simple, STOPWORDS = english);
CREATE TEXT SEARCH CONFIGURATION unstemmed (COPY = pg_catalog.simple);
ALTER TEXT SEARCH CONFIGURATION unstemmed
  ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH unstemmed;

CREATE FUNCTION role_rank(role text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE role WHEN 'owner' THEN 4 WHEN 'admin' THEN 3 WHEN 'member' THEN 2 ELSE 1 END $$;
CREATE FUNCTION home_of(endeavour text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour $$;
CREATE FUNCTION roles_held(person text, endeavour text) RETURNS text[] LANGUAGE sql STABLE SET search_path = public
  AS $$
    SELECT ('{viewer,member,admin,owner}'::text[])[1:(CASE
        WHEN u.manager_id IS NULL OR EXISTS (SELECT 1 FROM users m WHERE m.id = u.manager_id AND m.is_admin)
        THEN coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = endeavour AND g.user_id = u.id), 0) ELSE least(coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = endeavour AND g.user_id = u.id), 0), coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = endeavour AND g.user_id = u.manager_id), 0)) END)::integer]
      || coalesce((SELECT s.stakeholder_roles FROM endeavour_members s
        WHERE s.endeavour_id = endeavour AND s.user_id = u.id), '{}')
    FROM users u WHERE u.id = person $$;
CREATE FUNCTION containers_reached_by(person text, named text[]) RETURNS SETOF text
  LANGUAGE sql STABLE SET search_path = public AS $$
      WITH grants AS (SELECT DISTINCT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = person),
      organizations AS (SELECT m.organization_id FROM organization_resources m WHERE m.user_id = person)
      SELECT x.id FROM entities x
      WHERE x.id = ANY(named) AND (x.id IN (SELECT endeavour_id FROM grants) OR x.id IN (SELECT organization_id FROM organizations)
        OR EXISTS (SELECT 1 FROM users u WHERE u.id = person AND u.is_admin))
      UNION
      SELECT e.organization_id FROM grants JOIN endeavours e ON e.id = grants.endeavour_id
      WHERE cardinality(named) = 0 AND e.organization_id IS NOT NULL
      UNION
      SELECT organization_id FROM organizations WHERE cardinality(named) = 0 $$;
CREATE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT coalesce(m.resource_id, u.resource_id) FROM users u LEFT JOIN users m ON m.id = u.manager_id
                     WHERE u.resource_id = resource), resource) $$;
CREATE FUNCTION person_at(resource text, moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce((SELECT m.resource_id FROM users a JOIN former_managers f ON f.agent_id = a.id
          JOIN users m ON m.id = f.manager_id
        WHERE a.resource_id = resource AND f.ended_at > moment AND coalesce(f.began_at, '-infinity') <= moment
        ORDER BY f.ended_at LIMIT 1), person_behind(resource)) $$;
CREATE FUNCTION people_behind(resource text, since timestamptz, until timestamptz) RETURNS SETOF text
  LANGUAGE sql STABLE AS $$
    SELECT person_behind(resource)
    UNION SELECT m.resource_id FROM users a JOIN former_managers f ON f.agent_id = a.id JOIN users m ON m.id = f.manager_id
      WHERE a.resource_id = resource AND f.ended_at >= since AND coalesce(f.began_at, '-infinity') <= until $$;
CREATE FUNCTION confined.rank_limit(endeavour text) RETURNS integer
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN (SELECT CASE WHEN bool_and(own.rank IS NOT NULL) THEN min(own.rank) END
          FROM unnest(ARRAY[current_setting('worksmith.manager', true), current_setting('worksmith.maker', true)]) person,
            LATERAL (SELECT max(g.rank) AS rank FROM public.endeavour_grants g
              WHERE g.endeavour_id = endeavour AND g.user_id = person) own
          WHERE person <> '');
      END $$;
CREATE FUNCTION confined.role_limit(organization text) RETURNS integer
      LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
      BEGIN
        RETURN (SELECT CASE WHEN bool_and(own.rank IS NOT NULL) THEN min(own.rank) END
          FROM unnest(ARRAY[current_setting('worksmith.manager', true), current_setting('worksmith.maker', true)]) person,
            LATERAL (SELECT max(public.role_rank(m.role)) AS rank FROM public.organization_resources m
              WHERE m.organization_id = organization AND m.user_id = person) own
          WHERE person <> '');
      END $$;
CREATE FUNCTION confined.allows(id text, kind text, is_placed boolean) RETURNS boolean
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
      END $$;
CREATE FUNCTION delete_ended_token() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE entities SET deleted_at = NEW.ended_at WHERE id = NEW.id AND deleted_at IS NULL;
        RETURN NULL;
      END $$;
CREATE FUNCTION keep_former_member() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO former_members (container_id, user_id, left_at)
          VALUES (to_jsonb(OLD) ->> TG_ARGV[0], OLD.user_id, clock_timestamp())
          ON CONFLICT (container_id, user_id) DO UPDATE SET left_at = excluded.left_at;
          RETURN NULL;
        END $$;
CREATE FUNCTION keep_lowered_role() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO former_members (container_id, user_id, lowered_at)
         VALUES (to_jsonb(OLD) ->> TG_ARGV[0], OLD.user_id, clock_timestamp())
         ON CONFLICT (container_id, user_id) DO UPDATE SET lowered_at = excluded.lowered_at;
         RETURN NULL;
       END $$;
CREATE FUNCTION feed_sequence_before(moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
       DECLARE
         low bigint;
         high bigint;
         middle bigint;
         at timestamptz;
       BEGIN
         SELECT dropped, head + 1 INTO low, high FROM feed_state;
         WHILE low + 1 < high LOOP
           middle := (low + high) / 2;
           SELECT occurred_at INTO at FROM feed WHERE sequence >= middle ORDER BY sequence LIMIT 1;
           IF at < moment THEN low := middle; ELSE high := middle; END IF;
         END LOOP;
         RETURN low;
       END $$;
CREATE FUNCTION number_events(OUT last_sequence bigint, OUT has_backlog boolean) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET plan_cache_mode = force_generic_plan SET jit = off AS $$
  DECLARE
    state feed_state;
    unseen bigint[];
    beyond bigint;
    moved text[];
  BEGIN
    SELECT * INTO STRICT state FROM feed_state;
    IF pg_snapshot_xmax(state.seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) THEN
      PERFORM restart_numbering();
      SELECT * INTO STRICT state FROM feed_state;
    END IF;
    unseen := ARRAY(SELECT x::text::bigint FROM pg_snapshot_xip(state.seen::pg_snapshot) x);
    beyond := pg_snapshot_xmax(state.seen::pg_snapshot)::text::bigint;
    has_backlog := EXISTS (SELECT 1 FROM feed_backlog);
    IF NOT has_backlog AND NOT EXISTS (SELECT 1 FROM events WHERE transaction >= beyond)
      AND NOT EXISTS (SELECT 1 FROM events WHERE transaction = ANY(unseen)) THEN
      last_sequence := state.head;
      RETURN;
    END IF;
    SELECT * INTO STRICT state FROM feed_state FOR UPDATE;
    unseen := ARRAY(SELECT x::text::bigint FROM pg_snapshot_xip(state.seen::pg_snapshot) x);
    beyond := pg_snapshot_xmax(state.seen::pg_snapshot)::text::bigint;
    has_backlog := EXISTS (SELECT 1 FROM feed_backlog);
    IF NOT has_backlog AND 1000 < (
      SELECT count(*) FROM (SELECT 1 FROM (SELECT * FROM events WHERE transaction >= beyond
  UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)) v LIMIT 1000 + 1) counted) THEN
      WITH waiting AS (INSERT INTO feed_backlog SELECT v.sequence FROM (SELECT * FROM events WHERE transaction >= beyond
  UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)) v)
      UPDATE feed_state SET seen = pg_current_snapshot()::text;
      has_backlog := true;
    END IF;
    IF has_backlog THEN
      
  WITH taken AS (
          DELETE FROM feed_backlog WHERE event_sequence = ANY(ARRAY(
            SELECT event_sequence FROM feed_backlog ORDER BY event_sequence LIMIT 1000))
          RETURNING event_sequence
        ), fresh AS MATERIALIZED (
    SELECT state.head + row_number() OVER (ORDER BY v.sequence) AS sequence, v.sequence AS event_sequence,
      feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id, v.occurred_at,
      v.audience, v.changed
    FROM (SELECT event.* FROM taken JOIN events event ON event.sequence = taken.event_sequence) v JOIN entities x ON x.id = v.entity_id
  ), written AS (
    INSERT INTO feed (sequence, event_sequence, place, entity_id, entity_type, type, actor_id, occurred_at)
    SELECT sequence, event_sequence, place, entity_id, entity_type, type, actor_id, occurred_at
    FROM fresh ORDER BY sequence
    RETURNING sequence
  ), addressed AS (
    INSERT INTO feed_audience (resource_id, sequence, is_message)
    SELECT DISTINCT person, sequence, entity_type = 'message' FROM fresh, unnest(audience) person
    WHERE person IS NOT NULL ORDER BY sequence, person
  ), counted AS (
    INSERT INTO activity_counts (place, day, type, count)
    SELECT place, (occurred_at AT TIME ZONE 'UTC')::date, type, count(*) FROM fresh
    WHERE place NOT LIKE '%:admin' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (place, day, type) DO UPDATE SET count = activity_counts.count + excluded.count
  )
  UPDATE feed_state SET  head = head + (SELECT count(*) FROM written)
  RETURNING head, ARRAY(
    SELECT f.entity_id FROM fresh f WHERE f.entity_type <> 'message' GROUP BY f.entity_id
    HAVING bool_or(f.changed && '{endeavour_id,organization_id}') OR min(split_part(f.place, ':', 1)) <> (
      SELECT split_part(before.place, ':', 1) FROM feed before
      WHERE before.entity_id = f.entity_id AND before.sequence <= state.head
      ORDER BY before.entity_id DESC, before.sequence DESC LIMIT 1))
  INTO last_sequence, moved;
      has_backlog := EXISTS (SELECT 1 FROM feed_backlog);
    ELSE
      
  WITH  fresh AS MATERIALIZED (
    SELECT state.head + row_number() OVER (ORDER BY v.sequence) AS sequence, v.sequence AS event_sequence,
      feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id, v.occurred_at,
      v.audience, v.changed
    FROM (SELECT * FROM events WHERE transaction >= beyond
  UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)) v JOIN entities x ON x.id = v.entity_id
  ), written AS (
    INSERT INTO feed (sequence, event_sequence, place, entity_id, entity_type, type, actor_id, occurred_at)
    SELECT sequence, event_sequence, place, entity_id, entity_type, type, actor_id, occurred_at
    FROM fresh ORDER BY sequence
    RETURNING sequence
  ), addressed AS (
    INSERT INTO feed_audience (resource_id, sequence, is_message)
    SELECT DISTINCT person, sequence, entity_type = 'message' FROM fresh, unnest(audience) person
    WHERE person IS NOT NULL ORDER BY sequence, person
  ), counted AS (
    INSERT INTO activity_counts (place, day, type, count)
    SELECT place, (occurred_at AT TIME ZONE 'UTC')::date, type, count(*) FROM fresh
    WHERE place NOT LIKE '%:admin' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (place, day, type) DO UPDATE SET count = activity_counts.count + excluded.count
  )
  UPDATE feed_state SET seen = pg_current_snapshot()::text, head = head + (SELECT count(*) FROM written)
  RETURNING head, ARRAY(
    SELECT f.entity_id FROM fresh f WHERE f.entity_type <> 'message' GROUP BY f.entity_id
    HAVING bool_or(f.changed && '{endeavour_id,organization_id}') OR min(split_part(f.place, ':', 1)) <> (
      SELECT split_part(before.place, ':', 1) FROM feed before
      WHERE before.entity_id = f.entity_id AND before.sequence <= state.head
      ORDER BY before.entity_id DESC, before.sequence DESC LIMIT 1))
  INTO last_sequence, moved;
    END IF;
    PERFORM replace_in_feed(id) FROM unnest(moved) id;
  END $$;
CREATE FUNCTION replace_in_feed(moved text) RETURNS void LANGUAGE sql AS $$
    WITH RECURSIVE along AS (
      SELECT x.id FROM entities x WHERE x.id = moved
      UNION SELECT x.id FROM entities x JOIN along ON x.parent_id = along.id
    )
    UPDATE feed f SET place = feed_place(x, f.type, f.actor_id)
    FROM along JOIN entities x USING (id)
    WHERE f.entity_id = along.id AND f.place <> feed_place(x, f.type, f.actor_id) $$;
CREATE FUNCTION restart_numbering() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    before text := coalesce(nullif(current_setting('worksmith.erasing', true), ''), 'off');
  BEGIN
    PERFORM 1 FROM feed_state WHERE pg_snapshot_xmax(seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM set_config('worksmith.erasing', 'on', true);
    UPDATE events v SET transaction = CASE WHEN EXISTS (SELECT 1 FROM feed f WHERE f.event_sequence = v.sequence) THEN 1 ELSE 2 END
    WHERE transaction <> 1;
    DELETE FROM feed_backlog; UPDATE feed_state SET seen = '2:2:';
    PERFORM set_config('worksmith.erasing', before, true);
  END $$;
CREATE FUNCTION replace_token_events() RETURNS trigger LANGUAGE plpgsql
  SET search_path = public AS $$
       BEGIN
         PERFORM replace_in_feed(a.id) FROM access_tokens a WHERE a.user_id = NEW.id ORDER BY a.id;
         RETURN NULL;
       END $$;
CREATE FUNCTION tell_moved_away() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         place text := coalesce(OLD.endeavour_id, OLD.organization_id);
       BEGIN
         INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, data)
         SELECT new_id('evt'), 'visibility.lost', x.kind, x.id, x.endeavour_id, x.organization_id,
           json_build_object('endeavour_ids', '{}'::text[], 'organization_ids', '{}'::text[], 'entity_ids', ARRAY[NEW.id])
         FROM entities x WHERE x.id = place;
         RETURN NULL;
       END $$;
CREATE FUNCTION keep_former_manager() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO former_managers (agent_id, manager_id, began_at)
         VALUES (NEW.id, OLD.manager_id, (SELECT max(f.ended_at) FROM former_managers f WHERE f.agent_id = NEW.id));
         RETURN NULL;
       END $$;
CREATE FUNCTION succeed_manager(former text, organization text) RETURNS void LANGUAGE plpgsql
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
      END $$;
CREATE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql
  SET search_path = public AS $$
       BEGIN
         PERFORM succeed_manager(OLD.user_id, OLD.organization_id);
         RETURN NULL;
       END $$;
CREATE FUNCTION replace_former_administrator() RETURNS trigger LANGUAGE plpgsql
  SET search_path = public AS $$
       BEGIN
         PERFORM succeed_manager(NEW.id, o.id) FROM (
           SELECT DISTINCT a.agent_of AS id FROM users a WHERE a.manager_id = NEW.id AND a.agent_of IS NOT NULL) o
         WHERE NOT EXISTS (SELECT 1 FROM organization_resources m
           WHERE m.organization_id = o.id AND m.user_id = NEW.id AND role_rank(m.role) >= 3);
         RETURN NULL;
       END $$;
CREATE FUNCTION name_agents() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         WITH named AS (
           UPDATE resources r SET name = left(a.name || coalesce(', for ' || m.name, ''), 500)
           FROM users a LEFT JOIN users m ON m.id = a.manager_id
           WHERE a.is_managed AND (a.id = NEW.id OR a.manager_id = NEW.id) AND r.id = a.resource_id
           RETURNING r.id, r.name)
         UPDATE entities x SET title = named.name FROM named WHERE x.id = named.id;
         RETURN NULL;
       END $$;
CREATE FUNCTION approved_parts(conditions jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
     SELECT coalesce(array_agg(named.part), '{}') || '{"", metadata.*, metadata.checklist, metadata.acceptance}'::text[]
     FROM (SELECT DISTINCT 'metadata.' || CASE
    WHEN c->>'type' = 'checklist_complete' THEN 'checklist'
    ELSE regexp_replace(c->'params'->>'field', '^metadata\.', '') END AS part
  FROM jsonb_array_elements(coalesce(conditions, '[]')) c WHERE c->>'type' IN ('field_populated')) named WHERE named.part IS NOT NULL $$;
CREATE FUNCTION approved_value(key text, value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
     SELECT CASE WHEN key IN ('checklist', 'acceptance') AND jsonb_typeof(value) = 'array' THEN
       (SELECT coalesce(jsonb_agg(CASE jsonb_typeof(item) WHEN 'object'
          THEN item - '{checked,checked_at,checked_by}'::text[] ELSE item END), '[]')
        FROM jsonb_array_elements(value) item)
     ELSE value END $$;
CREATE FUNCTION keep_content_changes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.content_changes := NEW.content_changes || jsonb_build_object('', jsonb_build_object(
       'revision', NEW.revision, 'by', NEW.updated_by, 'at', clock_timestamp()));
     RETURN NEW;
   END $$;
CREATE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE changes text[] := '{is_current,dismissed_at,dismissed_by,dismissed_reason,ended_by,given_in,held_roles,kept_roles,lifted_at,ended_by_author}';
  BEGIN
    IF current_setting('worksmith.erasing', true) = 'on' THEN
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.is_current AND to_jsonb(NEW) - changes = to_jsonb(OLD) - changes
      AND (OLD.dismissed_at IS NULL OR (NEW.dismissed_at, NEW.dismissed_by, NEW.dismissed_reason)
        = (OLD.dismissed_at, OLD.dismissed_by, OLD.dismissed_reason)) THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'approvals is never changed' USING ERRCODE = 'restrict_violation';
  END $$;
CREATE FUNCTION store_standing() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
  DECLARE earlier record;
  BEGIN
    NEW.given_in := (SELECT t.endeavour_id FROM tasks t WHERE t.id = NEW.entity_id);
    IF NEW.verdict = 'approved' THEN RETURN NEW; END IF;
    NEW.held_roles := coalesce(roles_held((SELECT u.id FROM users u WHERE u.resource_id = NEW.approver_id), NEW.given_in), '{}');
    NEW.giver_type := (SELECT u.user_type FROM users u WHERE u.resource_id = NEW.approver_id);
    SELECT a.verdict, a.kept_roles, a.was_member, a.was_author, a.giver_type INTO earlier FROM approvals a
      WHERE a.entity_id = NEW.entity_id AND a.approver_id = NEW.approver_id
        AND a.dismissed_at IS NULL AND a.lifted_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM approvals later WHERE later.entity_id = a.entity_id AND later.approver_id = a.approver_id
            AND (later.created_at, later.id) > (a.created_at, a.id));
    IF earlier.verdict IN ('rejected', 'needs_work') THEN
      NEW.kept_roles := earlier.kept_roles;
      IF earlier.verdict = NEW.verdict AND earlier.was_member THEN
        NEW.was_author := NEW.was_author AND earlier.was_author;
        NEW.was_member := true;
        IF earlier.giver_type = 'human' THEN NEW.giver_type := 'human'; END IF;
      END IF;
    END IF;
    RETURN NEW;
  END $$;
CREATE FUNCTION keep_objections(person text, endeavour text) RETURNS void LANGUAGE plpgsql SET search_path = public
  AS $$
  DECLARE
    actor text := nullif(current_setting('worksmith.actor', true), '');
    -- An account is erased in its own name; who closed it has been judged then.
    is_erased boolean := EXISTS (SELECT 1 FROM users u
      WHERE u.id = person AND u.erased_at IS NOT NULL AND u.resource_id = actor);
    said record;
    held text[];
    lost text[];
    by_author boolean;
  BEGIN
    FOR said IN SELECT a.id, a.entity_id, a.given_in, a.held_roles, a.kept_roles, a.ended_by, a.ended_by_author,
        u.id AS user_id FROM approvals a JOIN users u ON u.resource_id = a.approver_id
      WHERE a.id IN (
          SELECT a.id FROM approvals a WHERE person IS NULL AND a.given_in = endeavour AND a.is_current AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL
  AND a.lifted_at IS NULL
          UNION ALL SELECT a.id FROM users u JOIN approvals a ON a.approver_id = u.resource_id
            WHERE (u.id = person OR u.manager_id = person) AND a.is_current AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL
  AND a.lifted_at IS NULL
              AND (endeavour IS NULL OR a.given_in = endeavour))
      ORDER BY a.id FOR NO KEY UPDATE OF a
    LOOP
      held := roles_held(said.user_id, said.given_in);
      CONTINUE WHEN held = said.held_roles;
      lost := ARRAY(SELECT unnest(said.held_roles) EXCEPT SELECT unnest(held));
      by_author := CASE WHEN lost = '{}' THEN false
        WHEN is_erased AND said.ended_by_author IS NOT NULL THEN said.ended_by_author
        ELSE actor IS NULL OR is_task_author(said.entity_id,
          (SELECT t.endeavour_id FROM tasks t WHERE t.id = said.entity_id), actor) END;
      UPDATE approvals SET held_roles = held,
        kept_roles = ARRAY(SELECT unnest(said.kept_roles) EXCEPT SELECT unnest(held)
          UNION SELECT unnest(lost) WHERE by_author)
      WHERE id = said.id;
      IF 'viewer' = ANY(lost) THEN
        UPDATE approvals SET ended_by = CASE WHEN is_erased THEN coalesce(said.ended_by, actor) ELSE actor END,
          ended_by_author = by_author, lifted_at = CASE WHEN NOT by_author THEN clock_timestamp() END
        WHERE id = said.id;
      END IF;
    END LOOP;
  END $$;
CREATE FUNCTION record_ended_rejecters() RETURNS trigger LANGUAGE plpgsql
  SET search_path = public AS $$
  DECLARE link jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  BEGIN
    CASE TG_TABLE_NAME
      WHEN 'organization_endeavours' THEN PERFORM keep_objections(NULL, link->>'endeavour_id');
      WHEN 'endeavour_members' THEN PERFORM keep_objections(link->>'user_id', link->>'endeavour_id');
      WHEN 'users' THEN PERFORM keep_objections(link->>'id', NULL);
      ELSE
        IF link->>'user_id' IS NOT NULL THEN PERFORM keep_objections(link->>'user_id', NULL); END IF;
    END CASE;
    RETURN NULL;
  END $$;
CREATE FUNCTION record_closed_rejecters() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
  DECLARE closer text := (SELECT c.resource_id FROM users c WHERE c.id = NEW.closed_by);
  BEGIN
    UPDATE approvals a SET ended_by = closer, ended_by_author = is_task_author(a.entity_id, t.endeavour_id, closer)
    FROM tasks t, users u
    WHERE t.id = a.entity_id AND u.resource_id = a.approver_id AND (u.id = NEW.id OR u.manager_id = NEW.id)
      AND a.is_current AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL
  AND a.lifted_at IS NULL;
    RETURN NULL;
  END $$;
CREATE FUNCTION keep_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF TG_OP = 'UPDATE' AND OLD.evidence IS NOT NULL THEN
           NEW.evidence := OLD.evidence;
           IF NEW.deleted_at IS NULL AND coalesce(current_setting('worksmith.erasing', true), '') <> 'on' AND (NEW.task_id IS DISTINCT FROM OLD.task_id
             OR NEW.evidence IS DISTINCT FROM jsonb_build_object('result', NEW.metadata->'result', 'tags', to_jsonb(NEW.tags)))
           THEN RAISE EXCEPTION 'evidence is kept as it was' USING ERRCODE = 'restrict_violation'; END IF;
         ELSIF NEW.metadata ? 'result' THEN
           NEW.evidence := jsonb_build_object('result', NEW.metadata->'result', 'tags', to_jsonb(NEW.tags));
         ELSE
           NEW.evidence := NULL;
         END IF;
         RETURN NEW;
       END $$;
CREATE FUNCTION keep_artifacts_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.title, NEW.summary);
      RETURN NEW;
    END $$;
CREATE FUNCTION await_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO audit_unsealed (entry_id) VALUES (NEW.id);
      RETURN NULL;
    END $$;
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND current_setting('worksmith.audit_retention', true) = 'on' THEN RETURN OLD; END IF;
      RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$;
CREATE FUNCTION drop_audit_before(edge timestamptz, last bigint, signed text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      old audit_seals[];
      top audit_seals;
      gone bigint;
      retention text := coalesce(current_setting('worksmith.audit_retention', true), '');
    BEGIN
      IF edge > now() - interval '30 days' OR edge <> date_trunc('month', edge, 'UTC') THEN
        RAISE EXCEPTION 'only what is older than a month that ended 30 days ago is dropped' USING ERRCODE = 'restrict_violation';
      END IF;
      old := ARRAY(
        SELECT s FROM (SELECT * FROM audit_seals ORDER BY position LIMIT 1000) s WHERE s.position <= last ORDER BY s.position);
      top := old[cardinality(old)];
      IF top.position IS DISTINCT FROM last OR top.sealed_at >= edge THEN
        RAISE EXCEPTION 'the checkpoint is not among the oldest entries of the month' USING ERRCODE = 'restrict_violation';
      END IF;
      -- The service can add seals, also one with an old time behind those of today.
      IF EXISTS (SELECT 1 FROM unnest(old) s WHERE s.sealed_at > now() - interval '30 days') THEN
        RAISE EXCEPTION 'entries of the last 30 days are kept' USING ERRCODE = 'restrict_violation';
      END IF;
      -- A custom parameter in the SET clause of a function requires a superuser.
      PERFORM set_config('worksmith.audit_retention', 'on', true);
      DELETE FROM audit_entries WHERE id = ANY(ARRAY(SELECT s.entry_id FROM unnest(old) s));
      DELETE FROM audit_seals WHERE position = ANY(ARRAY(SELECT s.position FROM unnest(old) s));
      GET DIAGNOSTICS gone = ROW_COUNT;
      -- A month has one checkpoint, which moves with its entries.
      WITH earlier AS (DELETE FROM audit_checkpoints WHERE before = edge RETURNING dropped)
      INSERT INTO audit_checkpoints (position, hash, dropped, before, signature)
        SELECT last, top.hash, gone + coalesce(sum(dropped), 0), edge, signed FROM earlier;
      PERFORM set_config('worksmith.audit_retention', retention, true);
      RETURN gone;
    END $$;
CREATE FUNCTION only_keys(source json, kept text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(part.key, part.value), '{}')
    FROM jsonb_each(source::jsonb) part WHERE part.key = ANY(kept) $$;
CREATE FUNCTION keep_comment_text() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO comment_texts (comment_id, content, written_at, replaced_at)
          VALUES (OLD.id, OLD.content, coalesce(OLD.edited_at, OLD.created_at), clock_timestamp());
          RETURN NULL;
        END $$;
CREATE FUNCTION keep_comments_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NULL, NEW.content);
      RETURN NEW;
    END $$;
CREATE FUNCTION without_outside(document json, endeavours text[], organizations text[]) RETURNS json
  LANGUAGE plpgsql STABLE AS $$
  DECLARE
    body text := document::text;
    foreign_id text;
  BEGIN
    FOR foreign_id IN
      SELECT DISTINCT hit[1] FROM regexp_matches(
        body, '"((?:org|edv|dmd|tsk|rel|apr|cmt|art|msg|rtl|rtr|tpl|dod)_[0-9a-f]{32})"', 'g') hit
      EXCEPT
      SELECT x.id FROM regexp_matches(body, '"([a-z]{3}_[0-9a-f]{32})"', 'g') hit JOIN entities x ON x.id = hit[1]
      WHERE x.is_global OR x.endeavour_id = ANY(endeavours)
        OR (x.endeavour_id IS NULL AND x.organization_id = ANY(organizations))
    LOOP
      body := regexp_replace(body, '"' || foreign_id || '"(?!\s*:)', 'null', 'g');
    END LOOP;
    RETURN body::json;
  END $$;
CREATE FUNCTION derive_due_date() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     zone text := (SELECT e.timezone FROM endeavours e WHERE e.id = NEW.endeavour_id);
   BEGIN
     
  IF NEW.due_day IS NOT NULL THEN
    IF TG_OP = 'UPDATE' AND NEW.due_day = OLD.due_day AND NEW.due_date IS DISTINCT FROM OLD.due_date THEN
      NEW.due_day := day_ending_at(NEW.due_date, zone);
    ELSE
      NEW.due_date := last_second_of(NEW.due_day, zone);
    END IF;
  END IF;
     RETURN NEW;
   END $$;
CREATE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.words := public.search_words(NEW.title, concat_ws(' ', NEW.external_ref ->> 'id', NEW.description));
    RETURN NEW;
  END $$;
CREATE FUNCTION count_blockers(task text, endeavour text) RETURNS integer LANGUAGE sql STABLE AS $$
         SELECT count(*)::integer FROM tasks t
         WHERE t.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = task))
           AND (t.endeavour_id = endeavour) IS TRUE AND t.status IN ('planned', 'active') $$;
CREATE FUNCTION count_own_blockers() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         NEW.blocked_by_count := count_blockers(NEW.id, NEW.endeavour_id);
         RETURN NEW;
       END $$;
CREATE FUNCTION count_for_dependents() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM tasks t
  WHERE ((t.endeavour_id = OLD.endeavour_id) IS TRUE OR (t.endeavour_id = NEW.endeavour_id) IS TRUE) AND t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = NEW.id)) ORDER BY t.id FOR NO KEY UPDATE;
    IF OLD.status IN ('planned', 'active') THEN UPDATE tasks t SET blocked_by_count = t.blocked_by_count - 1 WHERE (t.endeavour_id = OLD.endeavour_id) IS TRUE AND t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = NEW.id)); END IF;
    IF NEW.status IN ('planned', 'active') THEN UPDATE tasks t SET blocked_by_count = t.blocked_by_count + 1 WHERE (t.endeavour_id = NEW.endeavour_id) IS TRUE AND t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = NEW.id)); END IF;
    RETURN NULL;
  END $$;
CREATE FUNCTION count_for_relation() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         edge relations := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
         dependent text := CASE edge.relationship_type WHEN 'blocks' THEN edge.target_entity_id ELSE edge.source_entity_id END;
       BEGIN
         PERFORM 1 FROM tasks t WHERE t.id = dependent FOR NO KEY UPDATE;
         UPDATE tasks t SET blocked_by_count = count_blockers(t.id, t.endeavour_id)
  WHERE t.id = dependent AND t.blocked_by_count <> count_blockers(t.id, t.endeavour_id);
         RETURN NULL;
       END $$;
CREATE FUNCTION keep_dod_record() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         RAISE EXCEPTION '% are kept as they were', TG_TABLE_NAME;
       END $$;
CREATE FUNCTION keep_policy() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF (NEW.conditions, NEW.strictness, NEW.quorum, NEW.scope, NEW.version, NEW.predecessor_id, NEW.lineage_id, NEW.origin)
            IS DISTINCT FROM
            (OLD.conditions, OLD.strictness, OLD.quorum, OLD.scope, OLD.version, OLD.predecessor_id, OLD.lineage_id, OLD.origin)
         THEN RAISE EXCEPTION 'what a policy asks for changes with a new version only'; END IF;
         RETURN NEW;
       END $$;
CREATE FUNCTION end_endorsements(endeavour text, resource text) RETURNS void LANGUAGE sql AS $$
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
        FROM ended d ORDER BY d.id $$;
CREATE FUNCTION leave_endorsements() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         CASE TG_TABLE_NAME
           WHEN 'endeavour_members' THEN PERFORM end_endorsements(OLD.endeavour_id, OLD.resource_id);
           WHEN 'organization_resources' THEN PERFORM end_endorsements(NULL, OLD.resource_id);
           ELSE PERFORM end_endorsements(OLD.endeavour_id, NULL);
         END CASE;
         RETURN NULL;
       END $$;
CREATE FUNCTION keep_dod_policies_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.name, NEW.description);
      RETURN NEW;
    END $$;
CREATE FUNCTION derive_endeavour_dates() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     zone text := NEW.timezone;
   BEGIN
     
  IF NEW.start_day IS NOT NULL THEN
    IF TG_OP = 'UPDATE' AND NEW.start_day = OLD.start_day AND NEW.start_date IS DISTINCT FROM OLD.start_date THEN
      NEW.start_day := day_beginning_at(NEW.start_date, zone);
    ELSE
      NEW.start_date := first_instant_of(NEW.start_day, zone);
    END IF;
  END IF;
  IF NEW.end_day IS NOT NULL THEN
    IF TG_OP = 'UPDATE' AND NEW.end_day = OLD.end_day AND NEW.end_date IS DISTINCT FROM OLD.end_date THEN
      NEW.end_day := day_ending_at(NEW.end_date, zone);
    ELSE
      NEW.end_date := last_second_of(NEW.end_day, zone);
    END IF;
  END IF;
     IF TG_OP = 'INSERT' THEN
       NEW.derived_timezone := NEW.timezone;
     END IF;
     RETURN NEW;
   END $$;
CREATE FUNCTION stop_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         NEW.erasure_at := NULL;
         RETURN NEW;
       END $$;
CREATE FUNCTION keep_endeavours_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.name, NEW.description);
      RETURN NEW;
    END $$;
CREATE FUNCTION take_dependants_along() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE entities SET endeavour_id = NEW.endeavour_id, organization_id = NEW.organization_id,
            owner_user_id = NEW.owner_user_id, is_global = NEW.is_global,
            deleted_at = coalesce(deleted_at, NEW.deleted_at)
          WHERE parent_id = NEW.id;
          RETURN NULL;
        END $$;
CREATE FUNCTION this_transaction() RETURNS bigint LANGUAGE sql VOLATILE AS $$
        SELECT pg_current_xact_id()::text::bigint $$;
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF current_setting('worksmith.erasing', true) = 'on' THEN
            RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
          END IF;
          RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
        END $$;
CREATE FUNCTION keep_invitation_mail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE invitations SET mail_status = CASE NEW.status WHEN 'failed' THEN 'failed' ELSE 'sent' END
          WHERE id = NEW.reference;
          RETURN NULL;
        END $$;
CREATE FUNCTION keep_mail_copy() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE message_deliveries SET mail_copy = CASE NEW.status WHEN 'sent' THEN 'copied' ELSE 'failed' END
          WHERE id = NEW.reference;
          RETURN NULL;
        END $$;
CREATE FUNCTION keep_gathered_copies() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NEW.status = 'lapsed' THEN
         DELETE FROM message_copies WHERE mail = NEW.reference;
       ELSE
         UPDATE message_deliveries d SET mail_copy = CASE NEW.status WHEN 'sent' THEN 'copied' ELSE 'failed' END
         FROM message_copies c WHERE c.mail = NEW.reference AND d.id = c.delivery_id;
       END IF;
       RETURN NULL;
     END $$;
CREATE FUNCTION close_inbox() RETURNS trigger LANGUAGE plpgsql
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
       END $$;
CREATE FUNCTION keep_messages_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.subject, NEW.content);
      RETURN NEW;
    END $$;
CREATE FUNCTION keep_organizations_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.name, NEW.description);
      RETURN NEW;
    END $$;
CREATE FUNCTION record_deleted_edge() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO lost_edges (relation_id, lost_by, by_admin, by_author)
    SELECT NEW.id, NEW.deleted_by, NEW.deleted_by_admin, is_task_author(CASE NEW.relationship_type WHEN 'blocks' THEN NEW.target_entity_id ELSE NEW.source_entity_id END, s.endeavour_id, NEW.deleted_by) FROM tasks s JOIN tasks t ON t.endeavour_id = s.endeavour_id
    WHERE s.id = NEW.source_entity_id AND t.id = NEW.target_entity_id;
    RETURN NULL;
  END $$;
CREATE FUNCTION record_parted_edges() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO lost_edges (relation_id, lost_by, by_admin, by_author)
    SELECT l.id, NEW.updated_by, true, is_task_author(CASE l.relationship_type WHEN 'blocks' THEN l.target_entity_id ELSE l.source_entity_id END, OLD.endeavour_id, NEW.updated_by) FROM (
        SELECT r.*, r.target_entity_id AS other FROM relations r WHERE r.source_entity_id = NEW.id
        UNION ALL SELECT r.*, r.source_entity_id FROM relations r WHERE r.target_entity_id = NEW.id) l
      JOIN tasks o ON o.id = l.other
    WHERE l.deleted_at IS NULL AND l.relationship_type IN ('parent_of', 'depends_on', 'blocks')
      AND l.source_entity_type = 'task' AND l.target_entity_type = 'task' AND o.endeavour_id = OLD.endeavour_id;
    RETURN NULL;
  END $$;
CREATE FUNCTION leave_team_behind() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM team_members m WHERE m.team_id = NEW.id AND NOT is_of_team(NEW, m.resource_id);
     DELETE FROM team_members m USING resources team
     WHERE team.id = m.team_id AND m.resource_id = NEW.id AND NOT is_of_team(team, NEW.id);
     RETURN NULL;
   END $$;
CREATE FUNCTION leave_teams() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM team_members m USING resources team
     WHERE team.id = m.team_id AND m.resource_id = OLD.resource_id AND team.organization_id = OLD.organization_id;
     RETURN NULL;
   END $$;
CREATE FUNCTION keep_team_membership() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN
       INSERT INTO team_memberships (team_id, resource_id) VALUES (NEW.team_id, NEW.resource_id);
     ELSE
       UPDATE team_memberships SET left_at = clock_timestamp()
       WHERE team_id = OLD.team_id AND resource_id = OLD.resource_id AND left_at IS NULL;
     END IF;
     RETURN NULL;
   END $$;
CREATE FUNCTION erase_resources(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
       DECLARE one text;
       BEGIN
         FOREACH one IN ARRAY ids LOOP
           BEGIN
             DELETE FROM events WHERE entity_id = one;
             DELETE FROM resources WHERE id = one;
             DELETE FROM entities WHERE id = one;
           EXCEPTION WHEN foreign_key_violation THEN NULL;
           END;
         END LOOP;
       END $$;
CREATE FUNCTION lapse_votes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE quorum_votes SET lapsed_at = clock_timestamp() WHERE entity_id = NEW.id AND lapsed_at IS NULL;
     RETURN NULL;
   END $$;
CREATE FUNCTION lapse_votes_on_content() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE quorum_votes v SET lapsed_at = clock_timestamp() WHERE v.entity_id = NEW.id AND v.lapsed_at IS NULL
       AND EXISTS (SELECT 1 FROM jsonb_each(NEW.content_changes) c
         WHERE (c.value->>'revision')::integer = NEW.revision AND c.key = ANY(approved_parts(
           (SELECT p.conditions FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id WHERE e.id = NEW.endeavour_id))));
     RETURN NULL;
   END $$;
CREATE FUNCTION keep_resources_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.name, NULL);
      RETURN NEW;
    END $$;
CREATE FUNCTION replan_rituals() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE rituals SET next_run_at = NULL
          WHERE endeavour_id = NEW.id AND next_run_at IS NOT NULL AND NOT schedule ? 'timezone';
          RETURN NULL;
        END $$;
CREATE FUNCTION keep_rituals_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.name, NEW.description);
      RETURN NEW;
    END $$;
CREATE FUNCTION renew_search_words(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    due record;
    last text;
    counted integer;
  BEGIN
    SELECT table_name, after_id INTO due FROM search_renewals ORDER BY table_name LIMIT 1 FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    EXECUTE format(
      'WITH batch AS MATERIALIZED (SELECT id FROM %I WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE),
         renewed AS (UPDATE %I row SET words = search_words(%s) FROM batch WHERE row.id = batch.id)
       SELECT max(id), count(*) FROM batch',
      due.table_name, due.table_name, CASE due.table_name WHEN 'organizations' THEN 'name, description' WHEN 'endeavours' THEN 'name, description' WHEN 'demands' THEN 'title, concat_ws('' '', external_ref ->> ''id'', description)' WHEN 'tasks' THEN 'title, concat_ws('' '', external_ref ->> ''id'', description)' WHEN 'artifacts' THEN 'title, summary' WHEN 'dod_policies' THEN 'name, description' WHEN 'rituals' THEN 'name, description' WHEN 'templates' THEN 'name, body' WHEN 'resources' THEN 'name, NULL' WHEN 'comments' THEN 'NULL, content' WHEN 'messages' THEN 'subject, content' END) INTO last, counted USING due.after_id, most;
    IF counted < most THEN
      DELETE FROM search_renewals WHERE table_name = due.table_name;
    ELSE
      UPDATE search_renewals SET after_id = last WHERE table_name = due.table_name;
    END IF;
    RETURN true;
  END $$;
-- Invisible characters are written as their codes.
DO $do$ BEGIN EXECUTE replace($sql$CREATE FUNCTION fold_text(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(source) = char_length(source) THEN RETURN lower(source); END IF;
    RETURN (SELECT translate(replace(replace(replace(bare, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđħŧıðþς', 'oldhtidtσ') FROM (SELECT normalize(regexp_replace(normalize(lower(translate(normalize(source, NFKC), '’‘ʼ‛ʻ`´′＇‐‑‒–—―−{invisible}ـ',
  '''''''''''''''''''-------') COLLATE "und-x-icu"), NFD), '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]', '', 'g'), NFC) AS bare) folded);
  END $$$sql$, '{invisible}',
  U&'\00AD\200B\200C\200D\200E\200F\2060\202A\202B\202C\202D\202E\2066\2067\2068\2069\FEFF');
END $do$;
CREATE FUNCTION search_cut(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    cut text := replace(replace(replace(replace(replace(replace(replace(replace(replace(folded, '-', ' '), '_', ' '), '.', ' '), '/', ' '), '@', ' '), '<', ' '), '&', ' '), '+', ' '), '~', ' ');
  BEGIN
    IF octet_length(cut) <> char_length(cut) AND cut ~ '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' THEN
      cut := regexp_replace(cut, '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', ' ', 'g');
    END IF;
    IF cut ~ '\m[vr]\d' THEN cut := regexp_replace(cut, '\m([vr])(\d)', '\1 \2', 'g'); END IF;
    RETURN cut;
  END $$;
CREATE FUNCTION search_humps(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF source !~ ('[[:lower:]][[:upper:]]' COLLATE "und-x-icu") THEN RETURN NULL; END IF;
    RETURN (SELECT regexp_replace(regexp_replace(string_agg(DISTINCT word[1], ' '), '([[:lower:]\d])([[:upper:]])', '\1 \2', 'g'),
        '([[:upper:]])([[:upper:]][[:lower:]])', '\1 \2', 'g')
      FROM regexp_matches(source, ('[[:alnum:]]*[[:lower:]][[:upper:]][[:alnum:]]*' COLLATE "und-x-icu"), 'g') AS each (word)
      WHERE char_length(word[1]) <= 100);
  END $$;
CREATE FUNCTION search_pairs(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(folded) = char_length(folded) OR folded !~ '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' THEN RETURN '{}'; END IF;
    RETURN (SELECT array_agg(DISTINCT CASE WHEN next ~ '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' THEN character || next ELSE character END)
      FROM (SELECT character, lead(character) OVER (ORDER BY place) AS next
        FROM string_to_table(folded, NULL) WITH ORDINALITY AS each (character, place)) neighbours
      WHERE character ~ '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]');
  END $$;
CREATE FUNCTION search_pair_query(folded text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(folded) = char_length(folded) OR folded !~ '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' THEN RETURN NULL; END IF;
    RETURN (SELECT string_agg(DISTINCT CASE WHEN char_length(run[1]) = 1 THEN '''' || run[1] || ''':*'
        ELSE '''' || substr(run[1], at, 2) || '''' END, ' & ')::tsquery
      FROM regexp_matches(folded, '[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', 'g') AS each (run), generate_series(1, greatest(char_length(run[1]) - 1, 1)) AS at);
  END $$;
CREATE FUNCTION search_part(part text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    folded text := public.fold_text(part);
    words tsquery := phraseto_tsquery('pg_catalog.english', public.search_cut(folded));
    pairs tsquery := public.search_pair_query(folded);
  BEGIN
    RETURN CASE WHEN pairs IS NULL THEN words WHEN numnode(words) = 0 THEN pairs ELSE words && pairs END;
  END $$;
CREATE FUNCTION search_prefix(beginning text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    folded text := public.fold_text(beginning);
    pairs tsquery := public.search_pair_query(folded);
    words tsquery := (SELECT (string_agg(quote_literal(token), ' <-> ' ORDER BY place) || ':*')::tsquery
      FROM ts_parse('default', public.search_cut(folded)) WITH ORDINALITY AS parsed (type, token, place) WHERE type <> 12);
  BEGIN
    RETURN coalesce(words && pairs, words, pairs);
  END $$;
CREATE FUNCTION search_query(asked text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    token text[];
    part tsquery;
    alternative tsquery;
    result tsquery;
  BEGIN
    FOR token IN SELECT regexp_matches(asked, '(-?)"([^"]*)"|(\S+)', 'g') LOOP
      IF lower(token[3]) = 'or' THEN
        result := coalesce(result || alternative, alternative, result);
        alternative := NULL;
        CONTINUE;
      END IF;
      part := public.search_part(coalesce(token[2], token[3]));
      CONTINUE WHEN numnode(part) = 0;
      IF token[1] = '-' OR token[3] ~ '^-[^\s-]' THEN part := !!part; END IF;
      alternative := coalesce(alternative && part, part);
    END LOOP;
    RETURN coalesce(result || alternative, alternative, result);
  END $$;
CREATE FUNCTION search_words(name text, source text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    said text := left(coalesce(source, ''), 50000);
    folded text := public.fold_text(said);
    cut text := public.search_cut(folded);
    named text := public.fold_text(name);
    humps text := public.search_humps(CASE WHEN name IS NULL THEN said ELSE name || ' ' || said END);
    words tsvector;
  BEGIN
    IF humps IS NOT NULL THEN cut := cut || ' the ' || public.search_cut(public.fold_text(humps)); END IF;
    words := setweight(to_tsvector('pg_catalog.english', cut), 'B');
    IF name IS NOT NULL THEN
      folded := named || ' ' || folded;
      named := public.search_cut(named);
      cut := named || ' ' || cut;
      words := setweight(to_tsvector('pg_catalog.english', named), 'A') || words;
    END IF;
    words := words || strip(to_tsvector('public.unstemmed', cut));
    IF octet_length(folded) <> char_length(folded) THEN
      words := words || array_to_tsvector(public.search_pairs(folded));
    END IF;
    RETURN words;
  END $$;
CREATE FUNCTION keep_task_status() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    moved timestamptz := clock_timestamp();
    began timestamptz;
    ended timestamptz;
    previous text;
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF NEW.status = OLD.status THEN RETURN NULL; END IF;
      previous := OLD.status;
      UPDATE task_statuses SET left_at = moved WHERE task_id = NEW.id AND left_at IS NULL;
      IF NEW.status IN ('done', 'canceled') THEN
        UPDATE task_statuses s SET closed_again_at = moved
        WHERE s.task_id = NEW.id AND s.status IN ('done', 'canceled') AND s.closed_again_at IS NULL;
      END IF;
    ELSIF current_setting('worksmith.importing', true) = 'on' THEN
      began := CASE WHEN NEW.started_at IS NOT NULL THEN greatest(NEW.started_at, NEW.created_at) END;
      ended := CASE WHEN NEW.status IN ('done', 'canceled')
        THEN greatest(coalesce(NEW.completed_at, NEW.canceled_at), began, NEW.created_at) END;
      INSERT INTO task_statuses (task_id, endeavour_id, status, entered_at, left_at, imported)
        VALUES (NEW.id, NEW.endeavour_id, 'planned', NEW.created_at, coalesce(began, ended, moved), true);
      previous := 'planned';
      IF began IS NOT NULL THEN
        INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, left_at, imported)
          VALUES (NEW.id, NEW.endeavour_id, previous, 'active', began, coalesce(ended, moved), true);
        previous := 'active';
      END IF;
      IF ended IS NOT NULL THEN
        INSERT INTO task_statuses
            (task_id, endeavour_id, previous_status, status, entered_at, started_at, hours, imported)
          VALUES (NEW.id, NEW.endeavour_id, previous, NEW.status, ended, CASE NEW.status WHEN 'done' THEN began END,
            coalesce(NEW.actual, 0), true);
        RETURN NULL;
      END IF;
    END IF;
    INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, started_at, hours)
      VALUES (NEW.id, NEW.endeavour_id, previous, NEW.status, moved, CASE NEW.status WHEN 'done' THEN NEW.started_at END,
        CASE WHEN NEW.status IN ('done', 'canceled') THEN coalesce(NEW.actual, 0)
  - coalesce((SELECT sum(h.hours) FROM task_statuses h WHERE h.task_id = NEW.id), 0) END);
    RETURN NULL;
  END $$;
CREATE FUNCTION take_status_history_along() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE task_statuses SET endeavour_id = NEW.endeavour_id WHERE task_id = NEW.id;
         RETURN NULL;
       END $$;
CREATE FUNCTION correct_closed_hours() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE task_statuses SET hours = coalesce(hours, 0) + coalesce(NEW.actual, 0) - coalesce(OLD.actual, 0)
         WHERE task_id = NEW.id AND left_at IS NULL;
         RETURN NULL;
       END $$;
CREATE FUNCTION keep_task_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        stays boolean := TG_OP = 'UPDATE' AND NEW.assignee_id IS NOT DISTINCT FROM OLD.assignee_id;
        -- Reopening ends the attestation, which is not a text of the one who reopens.
        reopened boolean := TG_OP = 'UPDATE' AND OLD.status = 'done' AND NEW.status <> 'done';
        closed_with_hours boolean := TG_OP = 'UPDATE' AND OLD.actual IS NULL AND OLD.status <> 'done' AND NEW.status = 'done';
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO task_assignments (task_id, assignee_id, assigned_by)
          VALUES (NEW.id, NEW.assignee_id, NEW.creator_id);
          RETURN NULL;
        END IF;
        IF NEW.updated_by IS NOT NULL AND (
          (NEW.title, NEW.description, NEW.estimate) IS DISTINCT FROM (OLD.title, OLD.description, OLD.estimate)
          OR NEW.metadata - 'dod_attested' IS DISTINCT FROM OLD.metadata - 'dod_attested'
          OR (NOT reopened AND (NEW.attested_at, NEW.metadata->'dod_attested')
            IS DISTINCT FROM (OLD.attested_at, OLD.metadata->'dod_attested'))
          OR (NEW.actual IS DISTINCT FROM OLD.actual AND NOT closed_with_hours)) THEN
          UPDATE task_assignments SET writers = writers || NEW.updated_by
          WHERE task_id = NEW.id AND ended_at IS NULL AND NEW.updated_by <> ALL (writers);
        END IF;
        IF stays THEN RETURN NULL; END IF;
        UPDATE task_assignments SET ended_at = clock_timestamp(), ended_by = NEW.updated_by
        WHERE task_id = NEW.id AND ended_at IS NULL;
        IF NEW.assignee_id IS NOT NULL THEN
          INSERT INTO task_assignments (task_id, assignee_id, assigned_by)
          VALUES (NEW.id, NEW.assignee_id, NEW.updated_by);
        END IF;
        RETURN NULL;
      END $$;
CREATE FUNCTION keep_metadata_changes() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     change jsonb := jsonb_build_object('revision', NEW.revision, 'by', NEW.updated_by, 'at', clock_timestamp());
     changed jsonb;
   BEGIN
     SELECT coalesce(jsonb_object_agg('metadata.' || key, change), '{}') INTO changed
     FROM jsonb_each(OLD.metadata) before FULL JOIN jsonb_each(NEW.metadata) after USING (key)
     WHERE key NOT LIKE 'dod\_%'
       AND approved_value(key, before.value) IS DISTINCT FROM approved_value(key, after.value);
     NEW.content_changes := NEW.content_changes || changed;
     IF (SELECT count(*) FROM jsonb_object_keys(NEW.content_changes)) > 100 THEN
       SELECT jsonb_object_agg(kept.key, kept.value) INTO NEW.content_changes FROM (
         SELECT '' AS key, NEW.content_changes->'' AS value WHERE NEW.content_changes ? ''
         UNION ALL SELECT 'metadata.*', change) kept;
     END IF;
     RETURN NEW;
   END $$;
CREATE FUNCTION renew_round() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF OLD.status = 'done' AND NEW.status <> 'done' THEN
       NEW.round_started_at := clock_timestamp();
     ELSIF OLD.status = 'done' AND OLD.content_changes IS DISTINCT FROM NEW.content_changes
       AND EXISTS (SELECT 1 FROM jsonb_each(NEW.content_changes) c
  WHERE c.value IS DISTINCT FROM OLD.content_changes->c.key AND c.key = ANY(approved_parts(
    (SELECT p.conditions FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id WHERE e.id = NEW.endeavour_id)))) THEN
       NEW.round_started_at := clock_timestamp();
       IF NEW.dod_result IN ('met', 'overridden', 'changed') THEN
         NEW.dod_result := 'changed';
         NEW.dod_changed_at := NEW.round_started_at;
         NEW.dod_changed_by := NEW.updated_by;
       END IF;
     END IF;
     IF NEW.dod_result IS DISTINCT FROM 'changed' THEN
       NEW.dod_changed_at := NULL;
       NEW.dod_changed_by := NULL;
     END IF;
     IF NEW.dod_overridden_at IS NULL THEN
       NEW.dod_override_policy_id := NULL;
     ELSIF OLD.dod_overridden_at IS DISTINCT FROM NEW.dod_overridden_at THEN
       NEW.dod_override_policy_id := (SELECT e.dod_policy_id FROM endeavours e WHERE e.id = NEW.endeavour_id);
     END IF;
     IF NEW.attested_at IS NULL THEN NEW.attestations := NULL; END IF;
     RETURN NEW;
   END $$;
CREATE FUNCTION assignment_authors(task text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
      SELECT author.person FROM task_assignments h,
        LATERAL (SELECT h.assignee_id AS resource
          UNION SELECT m.resource_id FROM team_memberships m WHERE m.team_id = h.assignee_id
            AND m.joined_at <= coalesce(h.ended_at, 'infinity')
            AND coalesce(m.left_at, 'infinity') >= h.assigned_at) assignee,
        LATERAL people_behind(assignee.resource, h.assigned_at, coalesce(h.ended_at, 'infinity')) author (person)
      WHERE h.task_id = task AND assignee.resource IS NOT NULL AND (
        h.ended_at IS NULL
        OR (SELECT coalesce(sum(least(coalesce(s.left_at, 'infinity'), h.ended_at)
              - greatest(s.entered_at, h.assigned_at)), interval '0')
            FROM task_statuses s WHERE s.task_id = task AND s.status = 'active' AND NOT s.imported
              AND s.entered_at < h.ended_at AND coalesce(s.left_at, 'infinity') > h.assigned_at) >= interval '1 hour'
        OR author.person IN (SELECT people_behind(h.assigned_by, h.assigned_at, h.assigned_at))
        OR (person_at(h.ended_by, h.ended_at) = person_at(assignee.resource, h.ended_at)
          AND author.person IN (SELECT people_behind(h.ended_by, h.ended_at, h.ended_at)))
        OR EXISTS (SELECT 1 FROM unnest(h.writers) writer (id)
          WHERE author.person IN (SELECT people_behind(writer.id, h.assigned_at, h.ended_at)))
        OR EXISTS (SELECT 1 FROM task_contributions k
          WHERE k.task_id = task AND k.created_at BETWEEN h.assigned_at AND h.ended_at
            AND author.person IN (SELECT people_behind(k.resource_id, k.created_at, k.created_at)))) $$;
CREATE FUNCTION task_authors(task text, assignee text, conditions jsonb) RETURNS SETOF text
  LANGUAGE sql STABLE SET search_path = public AS $$
        SELECT author.person FROM (
          SELECT own.creator_id AS resource, own.created_at AS since, own.created_at AS until FROM tasks own
            WHERE own.id = task
          UNION ALL SELECT own.imported_by, '-infinity', 'infinity' FROM tasks own
            WHERE own.id = task AND own.imported_by IS NOT NULL
          UNION ALL SELECT assignee, now(), 'infinity' WHERE assignee IS NOT NULL
          UNION ALL SELECT member.resource_id, now(), 'infinity' FROM team_members member
            WHERE member.team_id = assignee
          UNION ALL (SELECT c.value->>'by', (c.value->>'at')::timestamptz, (c.value->>'at')::timestamptz
            FROM tasks own, jsonb_each(own.content_changes) c
            WHERE own.id = task AND c.key = ANY(approved_parts(conditions))
            ORDER BY (c.value->>'revision')::integer DESC LIMIT 1)) acted,
          LATERAL people_behind(acted.resource, acted.since, acted.until) author (person)
        WHERE acted.resource IS NOT NULL
        UNION SELECT assignment_authors(task) $$;
CREATE FUNCTION is_task_author(task text, endeavour text, resource text) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = public AS $$
    SELECT EXISTS (SELECT 1 FROM tasks t LEFT JOIN endeavours e ON e.id = endeavour
        LEFT JOIN dod_policies p ON p.id = e.dod_policy_id,
        LATERAL task_authors(t.id, t.assignee_id, p.conditions) author (person)
      WHERE t.id = task AND author.person = person_behind(resource)) $$;
CREATE FUNCTION keep_templates_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(NEW.name, NEW.body);
      RETURN NEW;
    END $$;
CREATE FUNCTION new_id(prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
        SELECT prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
          || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14) $$;
CREATE FUNCTION first_instant_of(day date, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
   DECLARE
     midnight timestamp := day;
     earlier timestamp := midnight - interval '12 hours';
     later timestamp := midnight + interval '12 hours';
     offset_before interval := earlier - (earlier AT TIME ZONE zone AT TIME ZONE 'UTC');
     offset_after interval := later - (later AT TIME ZONE zone AT TIME ZONE 'UTC');
     instant timestamptz := midnight AT TIME ZONE zone;
   BEGIN
     IF offset_before = offset_after THEN
       RETURN instant;
     END IF;
     SELECT min(candidate) INTO instant
     FROM unnest(ARRAY[(midnight - offset_before) AT TIME ZONE 'UTC', (midnight - offset_after) AT TIME ZONE 'UTC']) candidate
     WHERE (candidate AT TIME ZONE zone)::date >= day;
     WHILE ((instant - interval '1 minute') AT TIME ZONE zone)::date >= day LOOP
       instant := instant - interval '1 minute';
     END LOOP;
     RETURN instant;
   END $$;
CREATE FUNCTION last_second_of(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
     SELECT first_instant_of(day + 1, zone) - interval '1 second' $$;
CREATE FUNCTION day_beginning_at(instant timestamptz, zone text) RETURNS date LANGUAGE sql STABLE AS $$
     SELECT local.day FROM (SELECT (instant AT TIME ZONE zone)::date AS day) local
     WHERE first_instant_of(local.day, zone) = instant AND local.day BETWEEN '1970-01-01' AND '9999-12-31' $$;
CREATE FUNCTION day_ending_at(instant timestamptz, zone text) RETURNS date LANGUAGE sql STABLE AS $$
     SELECT local.day FROM (SELECT (instant AT TIME ZONE zone)::date AS day) local
     WHERE last_second_of(local.day, zone) = instant AND local.day BETWEEN '1970-01-01' AND '9999-12-31' $$;
-- Invisible characters are written as their codes.
DO $do$ BEGIN EXECUTE replace($sql$CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
         SELECT btrim(regexp_replace(translate(
           lower(upper(normalize(translate(name, '’‘ʼ‛ʻ`´′＇‐‑‒–—―−{invisible}', '''''''''''''''''''-------'), NFKC) COLLATE "und-x-icu") COLLATE "und-x-icu"),
           'ς̇', 'σ'), '\s+', ' ', 'g')) $$$sql$, '{invisible}',
  U&'\00AD\200B\200C\200D\200E\200F\2060\202A\202B\202C\202D\202E\2066\2067\2068\2069\FEFF');
END $do$;
CREATE FUNCTION mark_link() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         SELECT e.organization_id IS NOT DISTINCT FROM NEW.organization_id, e.is_private INTO NEW.is_home, NEW.is_private
         FROM endeavours e WHERE e.id = NEW.endeavour_id FOR SHARE;
         NEW.is_home := coalesce(NEW.is_home, false);
         NEW.is_private := coalesce(NEW.is_private, false);
         RETURN NEW;
       END $$;
CREATE FUNCTION mark_links() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM set_config('worksmith.actor', coalesce(NEW.updated_by, ''), true);
    UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = false
    WHERE endeavour_id = NEW.id AND organization_id IS DISTINCT FROM NEW.organization_id;
    UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = true
    WHERE endeavour_id = NEW.id AND organization_id = NEW.organization_id;
    RETURN NULL;
  END $$;
CREATE FUNCTION seen_through(organization text, member text, role text) RETURNS text[] LANGUAGE sql STABLE AS $$
     SELECT ARRAY(SELECT l.endeavour_id FROM organization_endeavours l
       WHERE l.organization_id = organization AND role IS NOT NULL
         AND (NOT l.is_private OR (l.is_home AND role_rank(role) >= 3))
         AND NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.user_id = member AND g.endeavour_id = l.endeavour_id
                           AND g.organization_id IS DISTINCT FROM organization)
       ORDER BY l.endeavour_id) $$;
CREATE FUNCTION tell_sight(sight text, kind text, audience_id text, endeavours text[], organizations text[])
  RETURNS void LANGUAGE sql AS $$
    INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, data)
    SELECT new_id('evt'), 'visibility.' || sight, kind, audience_id,
      CASE WHEN kind = 'endeavour' THEN audience_id END, CASE WHEN kind = 'organization' THEN audience_id END,
      json_build_object('endeavour_ids', endeavours, 'organization_ids', organizations)
    WHERE cardinality(endeavours) + cardinality(organizations) > 0 $$;
CREATE FUNCTION tell_sight_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     member endeavour_members := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
   BEGIN
     IF NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.user_id = member.user_id
                      AND g.endeavour_id = member.endeavour_id AND g.organization_id IS NOT NULL) THEN
       PERFORM tell_sight(CASE TG_OP WHEN 'DELETE' THEN 'lost' ELSE 'gained' END, 'user', member.user_id,
         ARRAY[member.endeavour_id], '{}');
     END IF;
     RETURN NULL;
   END $$;
CREATE FUNCTION tell_sight_of_organization_member() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     at text := coalesce(NEW.organization_id, OLD.organization_id);
     member text := coalesce(NEW.user_id, OLD.user_id);
     before text[] := seen_through(at, member, OLD.role);
     after text[] := seen_through(at, member, NEW.role);
   BEGIN
     PERFORM tell_sight('lost', 'user', member, ARRAY(SELECT unnest(before) EXCEPT SELECT unnest(after)),
       CASE WHEN NEW IS NULL THEN ARRAY[at] ELSE '{}' END);
     PERFORM tell_sight('gained', 'user', member, ARRAY(SELECT unnest(after) EXCEPT SELECT unnest(before)),
       CASE WHEN OLD IS NULL THEN ARRAY[at] ELSE '{}' END);
     RETURN NULL;
   END $$;
CREATE FUNCTION tell_sight_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    link organization_endeavours := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    endeavours text[] := ARRAY[link.endeavour_id];
    earlier text := CASE WHEN NOT OLD.is_private THEN 'members' WHEN OLD.is_home THEN 'admins' ELSE 'nobody' END;
    current text := CASE WHEN NOT NEW.is_private THEN 'members' WHEN NEW.is_home THEN 'admins' ELSE 'nobody' END;
  BEGIN
    IF current = earlier THEN
      RETURN NULL;
    END IF;
    IF current = 'members' THEN
      PERFORM tell_sight('gained', 'organization', link.organization_id, endeavours, '{}');
    ELSIF earlier = 'members' THEN
      PERFORM tell_sight('lost', 'organization', link.organization_id, endeavours, '{}');
      -- Members who see it in another way have been told that they lost it.
      IF EXISTS (SELECT 1 FROM organization_resources m JOIN endeavour_grants g ON g.user_id = m.user_id
                 WHERE m.organization_id = link.organization_id AND g.endeavour_id = link.endeavour_id) THEN
        PERFORM tell_sight('gained', 'endeavour', link.endeavour_id, endeavours, '{}');
      END IF;
    ELSIF current = 'admins' THEN
      PERFORM tell_sight('gained', 'endeavour', link.endeavour_id, endeavours, '{}');
    ELSE
      PERFORM tell_sight('lost', 'user', m.user_id, endeavours, '{}')
      FROM organization_resources m
      WHERE m.organization_id = link.organization_id AND m.user_id IS NOT NULL AND role_rank(m.role) >= 3
        AND NOT EXISTS (SELECT 1 FROM endeavour_grants g
                        WHERE g.user_id = m.user_id AND g.endeavour_id = link.endeavour_id);
    END IF;
    RETURN NULL;
  END $$;
CREATE FUNCTION keep_awaited_verdicts() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         k dod_checks := NEW;
       BEGIN
         IF k.result = 'not_met' AND NOT k.overridden
  AND EXISTS (SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE (c->>'required')::boolean AND c->>'status' = 'failed')
  AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(k.conditions) c
    WHERE (c->>'required')::boolean AND c->>'status' = 'failed' AND c->>'type' NOT IN ('peer_review', 'stakeholder_sign_off')) THEN
           INSERT INTO awaited_verdicts (task_id, endeavour_id, roles, author_roles, since)
           SELECT t.id, t.endeavour_id, ARRAY(
  SELECT DISTINCT p->'params'->>'role' FROM dod_policies policy, jsonb_array_elements(policy.conditions) p
  WHERE policy.id = k.policy_id AND p->>'type' = 'stakeholder_sign_off' AND true AND EXISTS (
    SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE (c->>'required')::boolean AND c->>'status' = 'failed' AND c->>'id' = p->>'id') ORDER BY 1), ARRAY(
  SELECT DISTINCT p->'params'->>'role' FROM dod_policies policy, jsonb_array_elements(policy.conditions) p
  WHERE policy.id = k.policy_id AND p->>'type' = 'stakeholder_sign_off' AND NOT coalesce((p->'params'->>'exclude_author')::boolean, true) AND EXISTS (
    SELECT 1 FROM jsonb_array_elements(k.conditions) c WHERE (c->>'required')::boolean AND c->>'status' = 'failed' AND c->>'id' = p->>'id') ORDER BY 1), k.checked_at
           FROM tasks t WHERE t.id = k.task_id
           ON CONFLICT (task_id) DO UPDATE SET roles = excluded.roles, author_roles = excluded.author_roles,
             since = excluded.since;
         ELSE
           DELETE FROM awaited_verdicts WHERE task_id = k.task_id;
         END IF;
         RETURN NULL;
       END $$;
