import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events concern those who watch their entity, what it belongs to, or their endeavour. */
export class WatchedFeed1763700004331 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION number_events(OUT last_sequence bigint, OUT has_backlog boolean) LANGUAGE plpgsql
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
              feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id,
              v.occurred_at, v.audience, v.changed, x.parent_id
            FROM (SELECT event.* FROM taken JOIN events event ON event.sequence = taken.event_sequence) v JOIN entities x ON x.id = v.entity_id
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
                JOIN current_watches w ON w.entity_id = ANY(ARRAY[f.entity_id, f.parent_id]) WHERE w.entity_id <> f.place AND f.entity_type <> 'message'
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
              feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id,
              v.occurred_at, v.audience, v.changed, x.parent_id
            FROM (SELECT * FROM events WHERE transaction >= beyond
            UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)) v JOIN entities x ON x.id = v.entity_id
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
                JOIN current_watches w ON w.entity_id = ANY(ARRAY[f.entity_id, f.parent_id]) WHERE w.entity_id <> f.place AND f.entity_type <> 'message'
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
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION number_events(OUT last_sequence bigint, OUT has_backlog boolean) LANGUAGE plpgsql
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
              feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id,
              v.occurred_at, v.audience, v.changed
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
            WHERE place NOT LIKE '%:%' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
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
              feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id,
              v.occurred_at, v.audience, v.changed
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
            WHERE place NOT LIKE '%:%' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
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
      END $$`);
  }
}
