import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** The ids of the items of checklists. */
export const CHECKLIST_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * The items of a checklist, each with an id. An id that is missing follows from the task and the text, so that it is
     * the same whenever it is given; the number tells items with the same text apart.
     */
    `CREATE FUNCTION checklist_with_ids(task text, items jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
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
      END $$`,
    `CREATE FUNCTION give_checklist_ids() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.metadata := jsonb_set(NEW.metadata, '{checklist}',
          checklist_with_ids(NEW.id, NEW.metadata->'checklist'));
        RETURN NEW;
      END $$`,
    /**
     * Gives the items of at most that many tasks of a release without ids theirs. Returns whether there may be more; a
     * task that moves meanwhile gets them by its move.
     */
    `CREATE FUNCTION renew_checklists(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
      END $$`,
  ],
  triggers: [
    // Its name comes before that of tasks_keep_metadata_changes, which sees the ids.
    `CREATE TRIGGER tasks_give_checklist_ids BEFORE INSERT OR UPDATE OF metadata, endeavour_id ON tasks FOR EACH ROW
      WHEN (jsonb_typeof(NEW.metadata->'checklist') = 'array') EXECUTE FUNCTION give_checklist_ids()`,
  ],
};
