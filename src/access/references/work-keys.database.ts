import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { actsAsAdministrator } from '../visibility/people.view.js';
import { endeavoursOf } from '../visibility/visibility.js';

/** A transaction takes this many numbers one by one, and further ones in blocks, so that it holds few locks. */
const SINGLE_NUMBERS = 16;
const BLOCK_SIZE = 64;

/** The keys of endeavours, and the numbers of their tasks and demands (decision 0051). */
export const WORK_KEY_OBJECTS: DatabaseObjects = {
  functions: [
    /** A key made from the name of an endeavour: the initials of its words, or the beginning of its only word. */
    `CREATE FUNCTION endeavour_key_of(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
      DECLARE
        words text[] := array_remove(regexp_split_to_array(upper(public.fold_text(name)), '[^A-Z0-9]+'), '');
        made text := (SELECT string_agg(left(word, 1), '' ORDER BY place) FROM unnest(words) WITH ORDINALITY AS w (word, place));
      BEGIN
        IF coalesce(array_length(words, 1), 0) < 2 THEN made := words[1]; END IF;
        made := left(regexp_replace(coalesce(made, ''), '^[0-9]+', ''), 4);
        RETURN CASE char_length(made) WHEN 0 THEN 'WORK' WHEN 1 THEN made || '1' ELSE made END;
      END $$`,
    /**
     * Reserves a key for an endeavour and returns it; if another endeavour has or had it in the same home, one with a
     * number at its end.
     */
    `CREATE FUNCTION reserve_endeavour_key(scope text, wanted text, endeavour text) RETURNS text LANGUAGE plpgsql AS $$
      DECLARE
        candidate text := wanted;
        suffix integer;
      BEGIN
        LOOP
          INSERT INTO endeavour_keys AS k (scope_id, key, endeavour_id) VALUES (scope, candidate, endeavour)
            ON CONFLICT (scope_id, key) DO UPDATE SET endeavour_id = excluded.endeavour_id
            WHERE k.endeavour_id = excluded.endeavour_id;
          IF FOUND THEN RETURN candidate; END IF;
          IF suffix IS NULL THEN
            SELECT coalesce(max(substr(k.key, char_length(wanted) + 1)::integer), 1) INTO suffix FROM endeavour_keys k
              WHERE k.scope_id = scope AND k.key ~ ('^' || wanted || '[1-9][0-9]{0,5}$');
          END IF;
          suffix := suffix + 1;
          candidate := left(wanted, 10 - char_length(suffix::text)) || suffix;
        END LOOP;
      END $$`,
    /** Gives an endeavour a key that is unique in its home, when it is created, changes its key or changes its home. */
    `CREATE FUNCTION keep_endeavour_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.key := reserve_endeavour_key(coalesce(NEW.organization_id, NEW.created_by, NEW.id),
          coalesce(NEW.key, endeavour_key_of(NEW.name)), NEW.id);
        RETURN NEW;
      END $$`,
    /**
     * Takes the next number of an endeavour without waiting for other transactions: numbers that they may be taking are
     * recognized by their advisory locks and skipped.
     */
    `CREATE FUNCTION take_number(endeavour text, entity text) RETURNS integer LANGUAGE plpgsql AS $$
      DECLARE
        numbers integer := hashtext(endeavour);
        blocks integer := hashtext('blocks of ' || endeavour);
        taken integer := coalesce(nullif(current_setting('worksmith.numbers_taken', true), '')::integer, 0) + 1;
        takes_block boolean := taken > ${SINGLE_NUMBERS};
        is_block_free boolean;
        candidate integer;
      BEGIN
        PERFORM set_config('worksmith.numbers_taken', taken::text, true);
        SELECT greatest(
            (SELECT n.number FROM work_numbers n WHERE n.endeavour_id = endeavour ORDER BY n.number DESC LIMIT 1),
            (SELECT u.last_number FROM unnumbered_endeavours u WHERE u.endeavour_id = endeavour), 0) + 1
          INTO candidate;
        LOOP
          is_block_free := CASE WHEN takes_block THEN pg_try_advisory_xact_lock(blocks, candidate / ${BLOCK_SIZE})
            ELSE pg_try_advisory_xact_lock_shared(blocks, candidate / ${BLOCK_SIZE}) END;
          IF is_block_free THEN
            IF takes_block OR pg_try_advisory_xact_lock(numbers, candidate) THEN
              -- It is committed if a transaction took it after the last number was read.
              INSERT INTO work_numbers (endeavour_id, number, entity_id) VALUES (endeavour, candidate, entity)
                ON CONFLICT DO NOTHING;
              IF FOUND THEN RETURN candidate; END IF;
            END IF;
            candidate := candidate + 1;
          ELSE
            candidate := (candidate / ${BLOCK_SIZE} + 1) * ${BLOCK_SIZE};
          END IF;
        END LOOP;
      END $$`,
    /** Takes a certain number of an endeavour if it is free; no number that existing work will have. */
    `CREATE FUNCTION take_number_if_free(endeavour text, wanted integer, entity text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM unnumbered_endeavours u WHERE u.endeavour_id = endeavour)
          OR NOT pg_try_advisory_xact_lock(hashtext('blocks of ' || endeavour), wanted / ${BLOCK_SIZE}) THEN
          RETURN false;
        END IF;
        INSERT INTO work_numbers (endeavour_id, number, entity_id) VALUES (endeavour, wanted, entity) ON CONFLICT DO NOTHING;
        RETURN FOUND;
      END $$`,
    /** Numbers a new task or demand; an import keeps the number that it has elsewhere if it is free. */
    `CREATE FUNCTION number_new_work() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.number IS NULL OR NOT take_number_if_free(NEW.endeavour_id, NEW.number, NEW.id) THEN
          NEW.number := take_number(NEW.endeavour_id, NEW.id);
        END IF;
        RETURN NEW;
      END $$`,
    /** Numbers a task or demand that moves; where it was before, it has its former number again. */
    `CREATE FUNCTION number_moved_work() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE work_numbers n SET is_former = true WHERE n.endeavour_id = OLD.endeavour_id AND n.number = OLD.number;
        UPDATE work_numbers n SET is_former = false
          WHERE n.entity_id = NEW.id AND n.is_former AND n.endeavour_id = NEW.endeavour_id
          RETURNING n.number INTO NEW.number;
        IF NOT FOUND THEN NEW.number := take_number(NEW.endeavour_id, NEW.id); END IF;
        NEW.former_numbers := nullif(coalesce(OLD.former_numbers, '{}') - NEW.endeavour_id
          || CASE WHEN OLD.number IS NULL THEN '{}' ELSE jsonb_build_object(OLD.endeavour_id, OLD.number) END, '{}');
        RETURN NEW;
      END $$`,
    /** The numbers of a deleted task or demand lead nowhere, and are not given again. */
    `CREATE FUNCTION release_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE work_numbers n SET entity_id = NULL, is_former = false
          WHERE (n.endeavour_id = OLD.endeavour_id AND n.number = OLD.number) OR (n.entity_id = OLD.id AND n.is_former);
        RETURN NULL;
      END $$`,
    /** The keys of former numbers, of those in endeavours that the caller sees. */
    `CREATE FUNCTION former_keys(numbers jsonb, caller text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT coalesce(json_agg(f.key || '-' || n.number ORDER BY f.id), '[]')
          FROM jsonb_each_text(numbers) AS n (endeavour_id, number) JOIN endeavours f ON f.id = n.endeavour_id
          WHERE f.key IS NOT NULL AND (${actsAsAdministrator('caller')} OR f.id IN (${endeavoursOf('caller')})));
      END $$`,
    /** The keys in an endeavour that is erased no longer lead to what has moved elsewhere. */
    `CREATE FUNCTION forget_former_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved text[] := ARRAY(SELECT n.entity_id FROM work_numbers n WHERE n.endeavour_id = OLD.id AND n.is_former);
      BEGIN
        UPDATE tasks SET former_numbers = nullif(former_numbers - OLD.id, '{}') WHERE id = ANY(moved);
        UPDATE demands SET former_numbers = nullif(former_numbers - OLD.id, '{}') WHERE id = ANY(moved);
        RETURN OLD;
      END $$`,
    /**
     * Numbers at most that many tasks and demands of a release without numbers, in the order of their creation, and gives
     * their endeavour a key. Those that were created while the service was upgraded, for which no number is left below
     * those of new work, get the next ones. Returns whether there may be more.
     */
    `CREATE FUNCTION number_existing_work(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        place unnumbered_endeavours;
        numbered integer;
        last_time timestamptz;
        last_id text;
      BEGIN
        SELECT * INTO place FROM unnumbered_endeavours ORDER BY endeavour_id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE endeavours SET key = endeavour_key_of(name) WHERE id = place.endeavour_id AND key IS NULL;
        WITH next AS MATERIALIZED (
          SELECT found.id, found.created_at,
            place.next_number - 1 + row_number() OVER (ORDER BY found.created_at, found.id) AS number
          FROM ((SELECT t.id, t.created_at FROM tasks t WHERE t.endeavour_id = place.endeavour_id AND t.number IS NULL
                AND (t.created_at, t.id) > (coalesce(place.after_time, '-infinity'), place.after_id)
              ORDER BY t.created_at, t.id LIMIT most)
            UNION ALL
            (SELECT d.id, d.created_at FROM demands d WHERE d.endeavour_id = place.endeavour_id AND d.number IS NULL
                AND (d.created_at, d.id) > (coalesce(place.after_time, '-infinity'), place.after_id)
              ORDER BY d.created_at, d.id LIMIT most)) found
          ORDER BY found.created_at, found.id LIMIT most),
        numbered_tasks AS (UPDATE tasks t SET number = CASE WHEN next.number <= place.last_number THEN next.number
            ELSE take_number(place.endeavour_id, t.id) END FROM next
          WHERE t.id = next.id AND t.number IS NULL AND t.endeavour_id = place.endeavour_id RETURNING t.id, t.number),
        numbered_demands AS (UPDATE demands d SET number = CASE WHEN next.number <= place.last_number THEN next.number
            ELSE take_number(place.endeavour_id, d.id) END FROM next
          WHERE d.id = next.id AND d.number IS NULL AND d.endeavour_id = place.endeavour_id RETURNING d.id, d.number),
        taken AS (INSERT INTO work_numbers (endeavour_id, number, entity_id)
          SELECT place.endeavour_id, given.number, given.id
          FROM (SELECT * FROM numbered_tasks UNION ALL SELECT * FROM numbered_demands) given
          WHERE given.number <= place.last_number)
        SELECT count(*), (array_agg(next.created_at ORDER BY next.created_at DESC, next.id DESC))[1],
          (array_agg(next.id ORDER BY next.created_at DESC, next.id DESC))[1]
        INTO numbered, last_time, last_id FROM next;
        IF numbered < most THEN
          DELETE FROM unnumbered_endeavours u WHERE u.endeavour_id = place.endeavour_id;
        ELSE
          UPDATE unnumbered_endeavours u
          SET next_number = place.next_number + numbered, after_time = last_time, after_id = last_id
          WHERE u.endeavour_id = place.endeavour_id;
        END IF;
        RETURN true;
      END $$`,
  ],
  views: [
    /** The keys of tasks and demands; null before they are numbered. */
    `CREATE VIEW work_keys AS
      SELECT t.id AS entity_id, e.key || '-' || t.number AS key FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
      UNION ALL
      SELECT d.id, e.key || '-' || d.number FROM demands d JOIN endeavours e ON e.id = d.endeavour_id`,
  ],
  triggers: [
    ...['tasks', 'demands'].flatMap((table) => [
      `CREATE TRIGGER ${table}_number_new BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION number_new_work()`,
      `CREATE TRIGGER ${table}_number_moved BEFORE UPDATE OF endeavour_id ON ${table} FOR EACH ROW
        WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION number_moved_work()`,
      `CREATE TRIGGER ${table}_release_numbers AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION release_numbers()`,
    ]),
    `CREATE TRIGGER endeavours_forget_former_numbers BEFORE DELETE ON endeavours FOR EACH ROW
      EXECUTE FUNCTION forget_former_numbers()`,
    `CREATE TRIGGER endeavours_keep_new_key BEFORE INSERT ON endeavours FOR EACH ROW EXECUTE FUNCTION keep_endeavour_key()`,
    `CREATE TRIGGER endeavours_keep_key BEFORE UPDATE OF key, organization_id ON endeavours FOR EACH ROW
      WHEN (NEW.key IS NOT NULL AND (NEW.key IS DISTINCT FROM OLD.key OR NEW.organization_id IS DISTINCT FROM OLD.organization_id))
      EXECUTE FUNCTION keep_endeavour_key()`,
  ],
};
