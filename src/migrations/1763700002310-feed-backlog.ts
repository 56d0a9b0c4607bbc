import type { MigrationInterface, QueryRunner } from 'typeorm';
import { NUMBER_EVENTS, RESTART_NUMBERING } from './1763700000960-feed.js';

/** The maximum number of events numbered in one transaction; they take half a second on a busy machine. */
const MAX_AT_ONCE = 1_000;

const NEW_EVENTS = `SELECT * FROM events WHERE transaction >= beyond
  UNION ALL SELECT * FROM events WHERE transaction = ANY(unseen)`;

/** SQL: gives sequences to events in the order in which they were written, and stores who may read them. */
const number = ({ taken, events, seen }: { taken: string; events: string; seen: string }): string => `
  WITH ${taken} fresh AS MATERIALIZED (
    SELECT state.head + row_number() OVER (ORDER BY v.sequence) AS sequence, v.sequence AS event_sequence,
      feed_place(x, v.type, v.actor_id) AS place, v.entity_id, v.entity_type, v.type, v.actor_id, v.occurred_at,
      v.audience, v.changed
    FROM (${events}) v JOIN entities x ON x.id = v.entity_id
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
  UPDATE feed_state SET ${seen} head = head + (SELECT count(*) FROM written)
  RETURNING head, ARRAY(
    SELECT f.entity_id FROM fresh f WHERE f.entity_type <> 'message' GROUP BY f.entity_id
    HAVING bool_or(f.changed && '{endeavour_id,organization_id}') OR min(split_part(f.place, ':', 1)) <> (
      SELECT split_part(before.place, ':', 1) FROM feed before
      WHERE before.entity_id = f.entity_id AND before.sequence <= state.head
      ORDER BY before.entity_id DESC, before.sequence DESC LIMIT 1))
  INTO last_sequence, moved`;

/**
 * Like NUMBER_EVENTS, but with a limit for each run. If there are more events, the run first stores all of them in
 * feed_backlog, which is quick; this and the following runs take them from there. Events that commit meanwhile are
 * numbered after the backlog, because they can be later changes of the same entities.
 */
const NUMBER_SOME_EVENTS = `
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
    IF NOT has_backlog AND ${MAX_AT_ONCE} < (
      SELECT count(*) FROM (SELECT 1 FROM (${NEW_EVENTS}) v LIMIT ${MAX_AT_ONCE} + 1) counted) THEN
      WITH waiting AS (INSERT INTO feed_backlog SELECT v.sequence FROM (${NEW_EVENTS}) v)
      UPDATE feed_state SET seen = pg_current_snapshot()::text;
      has_backlog := true;
    END IF;
    IF has_backlog THEN
      ${number({
        taken: `taken AS (
          DELETE FROM feed_backlog WHERE event_sequence = ANY(ARRAY(
            SELECT event_sequence FROM feed_backlog ORDER BY event_sequence LIMIT ${MAX_AT_ONCE}))
          RETURNING event_sequence
        ),`,
        events: `SELECT event.* FROM taken JOIN events event ON event.sequence = taken.event_sequence`,
        seen: '',
      })};
      has_backlog := EXISTS (SELECT 1 FROM feed_backlog);
    ELSE
      ${number({ taken: '', events: NEW_EVENTS, seen: 'seen = pg_current_snapshot()::text,' })};
    END IF;
    PERFORM replace_in_feed(id) FROM unnest(moved) id;
  END $$`;

/** Empties the backlog, because its events are found again as events that are not in the feed. */
const RESTART_WITHOUT_BACKLOG = RESTART_NUMBERING.replace(
  `UPDATE feed_state SET seen = '2:2:';`,
  `DELETE FROM feed_backlog; UPDATE feed_state SET seen = '2:2:';`,
);

const replacing = (statement: string): string => statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

/** Numbers many events in several short transactions, so that an interruption loses only the last one. */
export class FeedBacklog1763700002310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE feed_backlog (event_sequence bigint NOT NULL, CONSTRAINT feed_backlog_pkey PRIMARY KEY (event_sequence))`,
      replacing(RESTART_WITHOUT_BACKLOG),
      `DROP FUNCTION number_events`,
      NUMBER_SOME_EVENTS,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DO $$ BEGIN WHILE (SELECT has_backlog FROM number_events()) LOOP END LOOP; END $$`,
      `DROP FUNCTION number_events`,
      NUMBER_EVENTS,
      replacing(RESTART_NUMBERING),
      `DROP TABLE feed_backlog`,
    ]) {
      await runner.query(statement);
    }
  }
}
