import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { joinWatchers } from '../watches/watch.view.js';

/** The most events that one transaction numbers. */
const A_BATCH = 1000;

/** The committed events that no earlier call has seen. */
const UNSEEN = `SELECT * FROM events WHERE transaction >= beyond
            UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)`;

/**
 * Appends the events of `source` to the feed, addresses and counts them, and stores which entities have another place
 * than in their last entry.
 *
 * @param taken - a further common table expression that `source` reads
 * @param seen - an assignment of the state
 */
const append = ({ source, taken, seen }: { source: string; taken: string; seen: string }): string =>
  `WITH ${taken} fresh AS MATERIALIZED (
            SELECT state.head + row_number() OVER (ORDER BY v.sequence) AS sequence, v.sequence AS event_sequence,
              feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id,
              v.occurred_at, v.audience, v.changed, x.parent_id
            FROM (${source}) v JOIN entities x ON x.id = v.entity_id
          ), written AS (
            INSERT INTO feed (sequence, event_sequence, place, entity_id, entity_type, type, actor_id, occurred_at)
            SELECT sequence, event_sequence, place, entity_id, entity_type, type, actor_id, occurred_at
            FROM fresh ORDER BY sequence
            RETURNING sequence
          ), addressed AS (
            INSERT INTO feed_audience (resource_id, sequence, is_message)
            SELECT DISTINCT person, sequence, is_message FROM (
              SELECT person, sequence, entity_type = 'message' AS is_message FROM fresh, unnest(audience) person
                WHERE person IS NOT NULL
              UNION ALL SELECT w.resource_id, f.sequence, false FROM fresh f
                ${joinWatchers('w', 'ARRAY[f.entity_id, f.parent_id]')} WHERE w.entity_id <> f.place AND f.entity_type <> 'message'
                  AND w.created_at <= f.occurred_at
              -- Those who watch a container are one audience, like a team.
              UNION ALL SELECT f.place, f.sequence, false FROM fresh f
                WHERE f.entity_type <> 'message'
                  AND EXISTS (SELECT 1 FROM current_watches w WHERE w.entity_id = f.place)) concerned
            ORDER BY sequence, person
          ), counted AS (
            INSERT INTO activity_counts (place, day, type, count)
            SELECT place, (occurred_at AT TIME ZONE 'UTC')::date, type, count(*) FROM fresh
            WHERE place NOT LIKE '%:%' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            ON CONFLICT (place, day, type) DO UPDATE SET count = activity_counts.count + excluded.count
          )
          UPDATE feed_state SET ${seen} head = head + (SELECT count(*) FROM written)
          RETURNING head, ARRAY(
            SELECT f.entity_id FROM fresh f WHERE f.entity_type <> 'message' GROUP BY f.entity_id
            HAVING bool_or(f.changed && '{endeavour_id,organization_id}') OR min(split_part(f.place, ':', 1)) <> (
              SELECT split_part(before.place, ':', 1) FROM feed before
              WHERE before.entity_id = f.entity_id AND before.sequence <= state.head
              ORDER BY before.entity_id DESC, before.sequence DESC LIMIT 1))
            INTO last_sequence, moved;`;

/** The feed: events in the order in which they became visible, each with the place whose readers receive it. */
export const ACTIVITY_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Whose readers receive an event: the id of a container or user, with `:admin` for its admins only or `:owner` for its owners only, `everyone`, or
     * `administrators`.
     */
    `CREATE FUNCTION feed_place(x entities, type text, actor text) RETURNS text STABLE LANGUAGE plpgsql AS $$
            BEGIN
              IF x.kind NOT IN ('message', 'invitation', 'webhook', 'access_token', 'identity_provider', 'scim_token') AND type <> 'alert.raised' THEN
                RETURN coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END);
              END IF;
              RETURN CASE
        WHEN x.kind = 'message' AND type <> 'message.sent'
          THEN coalesce((SELECT r.user_id FROM resources r WHERE r.id = actor), 'administrators')
        WHEN x.kind = 'invitation' THEN coalesce((
          SELECT coalesce(i.endeavour_id, i.organization_id) || ':admin' FROM invitations i WHERE i.id = x.id),
            'administrators')
        WHEN type = 'alert.raised' OR x.kind = 'webhook'
          THEN coalesce(coalesce(x.endeavour_id, x.organization_id) || ':admin', 'administrators')
        WHEN x.kind IN ('identity_provider', 'scim_token') THEN coalesce(x.organization_id || ':owner', 'administrators')
        WHEN x.kind = 'access_token'
          THEN coalesce((SELECT u.manager_id FROM users u WHERE u.id = x.owner_user_id), x.owner_user_id,
            'administrators')
        ELSE coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END)
      END;
            END $$`,
    /** The same for rows that a confined transaction reads. */
    `CREATE FUNCTION confined.feed_place(x confined.entities, type text, actor text) RETURNS text
      LANGUAGE sql STABLE AS $$ SELECT public.feed_place(ROW(x.*)::public.entities, type, actor) $$`,
    /** The last sequence of the feed before a moment, by binary search. */
    `CREATE FUNCTION feed_sequence_before(moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
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
      END $$`,
    /**
     * Appends the events of transactions that ended since the last call to the feed, at most 1,000 at a time when many
     * are waiting. Returns the last sequence and whether events are left.
     */
    `CREATE FUNCTION number_events(OUT last_sequence bigint, OUT has_backlog boolean) LANGUAGE plpgsql
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
        IF NOT has_backlog AND ${A_BATCH} < (
          SELECT count(*) FROM (SELECT 1 FROM (${UNSEEN}) v LIMIT ${A_BATCH} + 1) counted) THEN
          WITH waiting AS (INSERT INTO feed_backlog SELECT v.sequence FROM (${UNSEEN}) v)
          UPDATE feed_state SET seen = pg_current_snapshot()::text;
          has_backlog := true;
        END IF;
        IF has_backlog THEN
          ${append({
            source: `SELECT event.* FROM taken JOIN events event ON event.sequence = taken.event_sequence`,
            taken: `taken AS (
            DELETE FROM feed_backlog WHERE event_sequence = ANY(ARRAY(
              SELECT event_sequence FROM feed_backlog ORDER BY event_sequence LIMIT ${A_BATCH}))
            RETURNING event_sequence
          ),`,
            seen: '',
          })}
          has_backlog := EXISTS (SELECT 1 FROM feed_backlog);
        ELSE
          ${append({ source: UNSEEN, taken: '', seen: 'seen = pg_current_snapshot()::text,' })}
        END IF;
        PERFORM replace_in_feed(id) FROM unnest(moved) id;
      END $$`,
    /**
     * Gives all entries of an entity in the feed the place of the entity now. As an array, its few ids are looked up;
     * as a join with an unknown number of them, both tables would be read whole.
     */
    `CREATE FUNCTION replace_in_feed(moved text) RETURNS void LANGUAGE sql AS $$
      WITH RECURSIVE along AS (
        SELECT x.id FROM entities x WHERE x.id = moved
        UNION SELECT x.id FROM entities x JOIN along ON x.parent_id = along.id
      )
      UPDATE feed f SET place = feed_place(x, f.type, f.actor_id)
      FROM entities x
      WHERE x.id = ANY(ARRAY(SELECT id FROM along)) AND f.entity_id = x.id
        AND f.place <> feed_place(x, f.type, f.actor_id) $$`,
    /** After a restore, the transaction numbers of the new server are lower than those seen: starts from them again. */
    `CREATE FUNCTION restart_numbering() RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        before text := coalesce(nullif(current_setting('worksmith.erasing', true), ''), 'off');
      BEGIN
        PERFORM 1 FROM feed_state
          WHERE pg_snapshot_xmax(seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) FOR UPDATE;
        IF NOT FOUND THEN RETURN; END IF;
        PERFORM set_config('worksmith.erasing', 'on', true);
        UPDATE events v SET transaction = CASE WHEN EXISTS (SELECT 1 FROM feed f
          WHERE f.event_sequence = v.sequence) THEN 1 ELSE 2 END
        WHERE transaction <> 1;
        DELETE FROM feed_backlog; UPDATE feed_state SET seen = '2:2:';
        PERFORM set_config('worksmith.erasing', before, true);
      END $$`,
    /** The events of the tokens of an agent are where its new manager reads them. */
    `CREATE FUNCTION replace_token_events() RETURNS trigger LANGUAGE plpgsql
        SET search_path = public AS $$
      BEGIN
        PERFORM replace_in_feed(a.id) FROM access_tokens a WHERE a.user_id = NEW.id ORDER BY a.id;
        RETURN NULL;
      END $$`,
    /** Tells the readers of the place that an entity left (`visibility.lost`). */
    `CREATE FUNCTION tell_moved_away() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        place text := coalesce(OLD.endeavour_id, OLD.organization_id);
      BEGIN
        INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, data)
        SELECT new_id('evt'), 'visibility.lost', x.kind, x.id, x.endeavour_id, x.organization_id,
          json_build_object('endeavour_ids', '{}'::text[], 'organization_ids', '{}'::text[], 'entity_ids',
            ARRAY[NEW.id])
        FROM entities x WHERE x.id = place;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER entities_tell_moved_away AFTER UPDATE OF endeavour_id, organization_id ON entities FOR EACH ROW
      WHEN (coalesce(OLD.endeavour_id, OLD.organization_id) IS DISTINCT FROM coalesce(NEW.endeavour_id,
        NEW.organization_id)
        AND coalesce(OLD.endeavour_id, OLD.organization_id) IS NOT NULL AND OLD.id <> coalesce(OLD.endeavour_id,
          OLD.organization_id)
        AND NEW.deleted_at IS NULL AND (NEW.parent_id IS NULL OR OLD.parent_id IS DISTINCT FROM NEW.parent_id))
      EXECUTE FUNCTION tell_moved_away()`,
    `CREATE TRIGGER users_replace_token_events AFTER UPDATE OF manager_id ON users FOR EACH ROW
      WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id) EXECUTE FUNCTION replace_token_events()`,
  ],
};
