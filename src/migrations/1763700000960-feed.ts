import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The assignee, owner and creator of each entity. Comments and approvals concern those of the entity that they are
 * about.
 */
const ENTITY_PEOPLE = `
  CREATE VIEW entity_people AS
  SELECT id AS entity_id, assignee_id AS resource_id FROM tasks WHERE assignee_id IS NOT NULL
  UNION ALL SELECT id, owner_id FROM tasks
  UNION ALL SELECT id, creator_id FROM tasks
  UNION ALL SELECT id, owner_id FROM demands
  UNION ALL SELECT id, creator_id FROM demands
  UNION ALL SELECT id, created_by FROM artifacts
  UNION ALL SELECT id, created_by FROM endeavours WHERE created_by IS NOT NULL
  UNION ALL SELECT id, created_by FROM rituals WHERE created_by IS NOT NULL
  UNION ALL SELECT id, author_id FROM comments`;

/**
 * The place of an event in the feed: the container, the user or everyone who may read it. Events that only admins may
 * list have the suffix ":admin". Events about a message after it was sent, such as reading it, are for the actor only.
 */
const FEED_PLACE = `
  CREATE FUNCTION feed_place(x entities, type text, actor text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN x.kind = 'message' AND type <> 'message.sent'
        THEN coalesce((SELECT r.user_id FROM resources r WHERE r.id = actor), 'administrators')
      WHEN x.kind = 'invitation' THEN coalesce((
        SELECT coalesce(i.endeavour_id, i.organization_id) || ':admin' FROM invitations i WHERE i.id = x.id), 'administrators')
      WHEN type = 'alert.raised' OR x.kind = 'webhook'
        THEN coalesce(coalesce(x.endeavour_id, x.organization_id) || ':admin', 'administrators')
      ELSE coalesce(x.endeavour_id, x.organization_id, x.owner_user_id,
        CASE WHEN x.is_global THEN 'everyone' ELSE 'administrators' END)
    END $$`;

/**
 * Numbers the events of all transactions that have committed since the last run, in the order in which they were
 * written. The lock on feed_state serializes the runs. Each run numbers exactly the events that its snapshot sees and
 * that of the previous run did not, so no event is skipped or numbered twice, however long its transaction takes. The
 * settings force a generic plan with indexes, which suits few and many events; planning each run would cost more than
 * the run.
 */
export const NUMBER_EVENTS = `
  CREATE FUNCTION number_events() RETURNS bigint LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
    SET plan_cache_mode = force_generic_plan SET jit = off AS $$
  DECLARE
    state feed_state;
    unseen bigint[];
    beyond bigint;
    result bigint;
    moved text[];
  BEGIN
    SELECT * INTO STRICT state FROM feed_state;
    IF pg_snapshot_xmax(state.seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) THEN
      PERFORM restart_numbering();
      SELECT * INTO STRICT state FROM feed_state;
    END IF;
    unseen := ARRAY(SELECT x::text::bigint FROM pg_snapshot_xip(state.seen::pg_snapshot) x);
    beyond := pg_snapshot_xmax(state.seen::pg_snapshot)::text::bigint;
    IF NOT EXISTS (SELECT 1 FROM events WHERE transaction >= beyond)
      AND NOT EXISTS (SELECT 1 FROM events WHERE transaction = ANY(unseen)) THEN
      RETURN state.head;
    END IF;
    SELECT * INTO STRICT state FROM feed_state FOR UPDATE;
    unseen := ARRAY(SELECT x::text::bigint FROM pg_snapshot_xip(state.seen::pg_snapshot) x);
    beyond := pg_snapshot_xmax(state.seen::pg_snapshot)::text::bigint;
    WITH fresh AS MATERIALIZED (
      SELECT state.head + row_number() OVER (ORDER BY v.sequence) AS sequence, v.sequence AS event_sequence,
        feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id, v.occurred_at,
        v.audience, v.changed
      FROM (SELECT * FROM events WHERE transaction >= beyond
            UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)) v
        JOIN entities x ON x.id = v.entity_id
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
    INTO result, moved;
    PERFORM replace_in_feed(id) FROM unnest(moved) id;
    RETURN result;
  END $$`;

/** Updates the place of the feed entries of an entity and its dependants after the entity has moved. */
const REPLACE_IN_FEED = `
  CREATE FUNCTION replace_in_feed(moved text) RETURNS void LANGUAGE sql AS $$
    WITH RECURSIVE along AS (
      SELECT x.id FROM entities x WHERE x.id = moved
      UNION SELECT x.id FROM entities x JOIN along ON x.parent_id = along.id
    )
    UPDATE feed f SET place = feed_place(x, f.type, f.actor_id)
    FROM along JOIN entities x USING (id)
    WHERE f.entity_id = along.id AND f.place <> feed_place(x, f.type, f.actor_id) $$`;

/**
 * Handles a database that was restored into another cluster, where transaction ids start from the beginning again.
 * Makes the stored transactions older than any of the new cluster, and lets the next run number the events that are not
 * in the feed.
 */
export const RESTART_NUMBERING = `
  CREATE FUNCTION restart_numbering() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    before text := coalesce(nullif(current_setting('worksmith.erasing', true), ''), 'off');
  BEGIN
    PERFORM 1 FROM feed_state WHERE pg_snapshot_xmax(seen::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM set_config('worksmith.erasing', 'on', true);
    UPDATE events v SET transaction = CASE WHEN EXISTS (SELECT 1 FROM feed f WHERE f.event_sequence = v.sequence) THEN 1 ELSE 2 END
    WHERE transaction <> 1;
    UPDATE feed_state SET seen = '2:2:';
    PERFORM set_config('worksmith.erasing', before, true);
  END $$`;

export const TELL_SIGHT = `CREATE FUNCTION tell_sight(sight text, kind text, audience_id text, endeavours text[], organizations text[])
   RETURNS void LANGUAGE sql AS $$
     INSERT INTO events (id, type, entity_type, entity_id, organization_id, data)
     SELECT new_id('evt'), 'visibility.' || sight, kind, audience_id,
       CASE WHEN kind = 'organization' THEN audience_id END,
       json_build_object('endeavour_ids', endeavours, 'organization_ids', organizations)
     WHERE cardinality(endeavours) + cardinality(organizations) > 0 $$`;

export const TELL_SIGHT_OF_LINK = `CREATE FUNCTION tell_sight_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     was_open boolean := coalesce(NOT OLD.is_private, false);
     is_open boolean := coalesce(NOT NEW.is_private, false);
   BEGIN
     IF was_open <> is_open THEN
       PERFORM tell_sight(CASE WHEN is_open THEN 'gained' ELSE 'lost' END, 'organization',
         coalesce(NEW.organization_id, OLD.organization_id), ARRAY[coalesce(NEW.endeavour_id, OLD.endeavour_id)], '{}');
     END IF;
     RETURN NULL;
   END $$`;

/**
 * Records an event when users gain or lose access to endeavours: for a membership an event for the user, for a link an
 * event for the members of the organization. Leaves out endeavours that the user also sees in another way.
 */
const TELL_SIGHT_STATEMENTS = [
  TELL_SIGHT,
  `CREATE FUNCTION tell_sight_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     member endeavour_members := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
   BEGIN
     IF NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.user_id = member.user_id
                      AND g.endeavour_id = member.endeavour_id AND g.organization_id IS NOT NULL) THEN
       PERFORM tell_sight(CASE TG_OP WHEN 'DELETE' THEN 'lost' ELSE 'gained' END, 'user', member.user_id,
         ARRAY[member.endeavour_id], '{}');
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER endeavour_members_tell_sight AFTER INSERT OR DELETE ON endeavour_members FOR EACH ROW
     EXECUTE FUNCTION tell_sight_of_member()`,
  `CREATE FUNCTION seen_through(organization text, member text, role text) RETURNS text[] LANGUAGE sql STABLE AS $$
     SELECT ARRAY(SELECT l.endeavour_id FROM organization_endeavours l
       WHERE l.organization_id = organization AND role IS NOT NULL
         AND (NOT l.is_private OR (l.is_home AND role_rank(role) >= 3))
         AND NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.user_id = member AND g.endeavour_id = l.endeavour_id
                           AND g.organization_id IS DISTINCT FROM organization)
       ORDER BY l.endeavour_id) $$`,
  `CREATE FUNCTION tell_sight_of_organization_member() RETURNS trigger LANGUAGE plpgsql AS $$
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
   END $$`,
  `CREATE TRIGGER organization_resources_tell_sight_gained AFTER INSERT ON organization_resources FOR EACH ROW
     WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION tell_sight_of_organization_member()`,
  `CREATE TRIGGER organization_resources_tell_sight_lost AFTER DELETE ON organization_resources FOR EACH ROW
     WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION tell_sight_of_organization_member()`,
  `CREATE TRIGGER organization_resources_tell_sight_changed AFTER UPDATE OF role ON organization_resources FOR EACH ROW
     WHEN (NEW.user_id IS NOT NULL AND NEW.role <> OLD.role) EXECUTE FUNCTION tell_sight_of_organization_member()`,
  TELL_SIGHT_OF_LINK,
  `CREATE TRIGGER organization_endeavours_tell_sight AFTER INSERT OR UPDATE OR DELETE ON organization_endeavours
     FOR EACH ROW EXECUTE FUNCTION tell_sight_of_link()`,
];

/** Sets the audience of the events that were written before audiences were stored. */
const EARLIER_AUDIENCES = `
  UPDATE events v SET audience = people.ids
  FROM (SELECT e.sequence, array_agg(DISTINCT p.id) AS ids
        FROM events e CROSS JOIN LATERAL (
          SELECT e.data ->> name AS id FROM unnest('{assignee_id,owner_id,creator_id,created_by,run_by}'::text[]) name
          UNION SELECT e.previous ->> name FROM unnest('{assignee_id,owner_id}'::text[]) name
          UNION SELECT q.resource_id FROM entity_people q
            WHERE e.entity_type IN ('comment', 'approval') AND q.entity_id = e.data ->> 'entity_id'
          UNION SELECT d.resource_id FROM message_deliveries d
            WHERE e.type = 'message.sent' AND d.message_id = e.entity_id) p
        WHERE p.id LIKE 'res\\_%' GROUP BY e.sequence) people
  WHERE people.sequence = v.sequence`;

/** Creates the feed, where events get a sequence after they are committed, and are stored by who may read them. */
export class Feed1763700000960 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ENTITY_PEOPLE,
      `ALTER TABLE events ADD COLUMN audience text[] NOT NULL DEFAULT '{}', ADD COLUMN token_id text`,
      `DROP INDEX events_organization_id_sequence_idx, events_endeavour_id_sequence_idx`,
      `SET LOCAL worksmith.erasing = 'on'`,
      EARLIER_AUDIENCES,
      `SET LOCAL worksmith.erasing = 'off'`,
      `CREATE INDEX events_transaction_idx ON events (transaction)`,
      `CREATE TABLE feed (
        sequence bigint NOT NULL,
        event_sequence bigint NOT NULL,
        place text NOT NULL,
        entity_id text NOT NULL,
        entity_type text NOT NULL,
        type text NOT NULL,
        actor_id text,
        occurred_at timestamptz(3) NOT NULL,
        CONSTRAINT feed_pkey PRIMARY KEY (sequence)
      )`,
      `CREATE TABLE feed_audience (
        resource_id text NOT NULL,
        sequence bigint NOT NULL,
        is_message boolean NOT NULL,
        CONSTRAINT feed_audience_pkey PRIMARY KEY (resource_id, sequence)
      )`,
      `CREATE TABLE feed_state (
        id boolean NOT NULL DEFAULT true,
        head bigint NOT NULL DEFAULT 0,
        dropped bigint NOT NULL DEFAULT 0,
        seen text NOT NULL,
        CONSTRAINT feed_state_id_check CHECK (id),
        CONSTRAINT feed_state_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE activity_counts (
        place text NOT NULL,
        day date NOT NULL,
        type text NOT NULL,
        count bigint NOT NULL,
        CONSTRAINT activity_counts_pkey PRIMARY KEY (place, day, type)
      )`,
      `CREATE UNIQUE INDEX feed_event_sequence_idx ON feed (event_sequence)`,
      `CREATE INDEX feed_place_sequence_idx ON feed (place, sequence)`,
      `CREATE INDEX feed_entity_id_sequence_idx ON feed (entity_id, sequence)`,
      `CREATE INDEX feed_actor_id_sequence_idx ON feed (actor_id, sequence)`,
      `CREATE INDEX feed_audience_sequence_idx ON feed_audience (sequence)`,
      `CREATE INDEX feed_audience_messages_idx ON feed_audience (resource_id, sequence) WHERE is_message`,
      `ALTER TABLE feed ADD CONSTRAINT feed_event_sequence_fkey FOREIGN KEY (event_sequence) REFERENCES events(sequence) ON DELETE CASCADE`,
      `ALTER TABLE feed_audience ADD CONSTRAINT feed_audience_sequence_fkey
        FOREIGN KEY (sequence) REFERENCES feed(sequence) ON DELETE CASCADE`,
      `INSERT INTO feed_state (seen) VALUES ('1:1:')`,
      FEED_PLACE,
      REPLACE_IN_FEED,
      RESTART_NUMBERING,
      NUMBER_EVENTS,
      ...TELL_SIGHT_STATEMENTS,
      `SELECT number_events()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER organization_endeavours_tell_sight ON organization_endeavours`,
      `DROP TRIGGER organization_resources_tell_sight_gained ON organization_resources`,
      `DROP TRIGGER organization_resources_tell_sight_lost ON organization_resources`,
      `DROP TRIGGER organization_resources_tell_sight_changed ON organization_resources`,
      `DROP TRIGGER endeavour_members_tell_sight ON endeavour_members`,
      `DROP FUNCTION tell_sight_of_link, tell_sight_of_organization_member, tell_sight_of_member, seen_through, tell_sight`,
      `DROP FUNCTION number_events, restart_numbering, replace_in_feed`,
      `DROP TABLE feed_audience, feed, feed_state, activity_counts`,
      `DROP FUNCTION feed_place`,
      `DROP VIEW entity_people`,
      `DROP INDEX events_transaction_idx`,
      `ALTER TABLE events DROP COLUMN audience, DROP COLUMN token_id`,
      `CREATE INDEX events_organization_id_sequence_idx ON events (organization_id, sequence)`,
      `CREATE INDEX events_endeavour_id_sequence_idx ON events (endeavour_id, sequence)`,
    ]) {
      await runner.query(statement);
    }
  }
}
