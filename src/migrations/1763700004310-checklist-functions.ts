import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The functions that give items of checklists their ids, which are no part of the approved content. */
export class ChecklistFunctions1763700004310 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE checklist_renewals (endeavour_id text NOT NULL, after_time TIMESTAMP(3) WITH TIME ZONE, after_id text NOT NULL DEFAULT '', CONSTRAINT checklist_renewals_pkey PRIMARY KEY (endeavour_id))`,
    );
    await runner.query(`CREATE FUNCTION checklist_with_ids(task text, items jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
      DECLARE
        taken text[] := ARRAY(SELECT item->>'id' FROM jsonb_array_elements(items) item WHERE item->>'id' IS NOT NULL);
        given text[] := '{}';
        missing record;
        earlier text;
        nth integer;
        made text;
      BEGIN
        FOR missing IN SELECT coalesce(e.item->>'text', e.item->>'title') AS text, e.place::integer AS place
          FROM jsonb_array_elements(items) WITH ORDINALITY e (item, place)
          WHERE e.item->>'id' IS NULL AND jsonb_typeof(coalesce(e.item->'text', e.item->'title')) = 'string'
          ORDER BY coalesce(e.item->>'text', e.item->>'title') COLLATE "C", e.place
        LOOP
          IF missing.text IS DISTINCT FROM earlier THEN nth := 0; END IF;
          earlier := missing.text;
          LOOP
            nth := nth + 1;
            made := left(md5(concat_ws('/', task, nth, missing.text)), 12);
            EXIT WHEN made <> ALL(taken);
          END LOOP;
          taken := taken || made;
          given[missing.place] := made;
        END LOOP;
        IF given = '{}' THEN RETURN items; END IF;
        RETURN (SELECT jsonb_agg(CASE WHEN given[e.place::integer] IS NULL THEN e.item
            ELSE e.item || jsonb_build_object('id', given[e.place::integer]) END ORDER BY e.place)
          FROM jsonb_array_elements(items) WITH ORDINALITY e (item, place));
      END $$`);
    await runner.query(`CREATE FUNCTION give_checklist_ids() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.metadata := jsonb_set(NEW.metadata, '{checklist}',
          checklist_with_ids(NEW.id, NEW.metadata->'checklist'));
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE FUNCTION renew_checklists(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        place checklist_renewals;
        seen integer;
        last_time timestamptz;
        last_id text;
      BEGIN
        SELECT * INTO place FROM checklist_renewals ORDER BY endeavour_id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        WITH next AS MATERIALIZED (
          SELECT t.id, t.created_at FROM tasks t WHERE t.endeavour_id = place.endeavour_id
            AND (t.created_at, t.id) > (coalesce(place.after_time, '-infinity'), place.after_id)
          ORDER BY t.created_at, t.id LIMIT most),
        renewed AS (UPDATE tasks t
          SET metadata = jsonb_set(t.metadata, '{checklist}', checklist_with_ids(t.id, t.metadata->'checklist'))
          FROM next WHERE t.id = next.id AND CASE WHEN jsonb_typeof(t.metadata->'checklist') = 'array'
            THEN checklist_with_ids(t.id, t.metadata->'checklist') <> t.metadata->'checklist' END)
        SELECT count(*), (array_agg(next.created_at ORDER BY next.created_at DESC, next.id DESC))[1],
          (array_agg(next.id ORDER BY next.created_at DESC, next.id DESC))[1]
        INTO seen, last_time, last_id FROM next;
        IF seen < most THEN
          DELETE FROM checklist_renewals r WHERE r.endeavour_id = place.endeavour_id;
        ELSE
          UPDATE checklist_renewals r SET after_time = last_time, after_id = last_id
          WHERE r.endeavour_id = place.endeavour_id;
        END IF;
        RETURN true;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION approved_value(key text, value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN key IN ('checklist', 'acceptance') AND jsonb_typeof(value) = 'array' THEN
        (SELECT coalesce(jsonb_agg(CASE jsonb_typeof(item) WHEN 'object'
           THEN item - '{checked,checked_at,checked_by}'::text[]
             - CASE WHEN item->>'id' ~ '^[0-9a-f]{12}$' THEN '{id}' ELSE '{}'::text[] END
           ELSE item END), '[]')
         FROM jsonb_array_elements(value) item)
      ELSE value END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION approved_value(key text, value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN key IN ('checklist', 'acceptance') AND jsonb_typeof(value) = 'array' THEN
        (SELECT coalesce(jsonb_agg(CASE jsonb_typeof(item) WHEN 'object'
           THEN item - '{checked,checked_at,checked_by}'::text[] ELSE item END), '[]')
         FROM jsonb_array_elements(value) item)
      ELSE value END $$`);
    await runner.query(`DROP FUNCTION renew_checklists`);
    await runner.query(`DROP FUNCTION give_checklist_ids`);
    await runner.query(`DROP FUNCTION checklist_with_ids`);
    await runner.query(`DROP TABLE checklist_renewals`);
  }
}
