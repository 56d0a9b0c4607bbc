import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers new work from now on, and marks the existing work for the job that numbers it. */
export class WorkNumbering1763700003601 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION endeavour_key_of(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
      DECLARE
        words text[] := array_remove(regexp_split_to_array(upper(public.fold_text(name)), '[^A-Z0-9]+'), '');
        made text := (SELECT string_agg(left(word, 1), '' ORDER BY place) FROM unnest(words) WITH ORDINALITY AS w (word, place));
      BEGIN
        IF coalesce(array_length(words, 1), 0) < 2 THEN made := words[1]; END IF;
        made := left(regexp_replace(coalesce(made, ''), '^[0-9]+', ''), 4);
        RETURN CASE char_length(made) WHEN 0 THEN 'WORK' WHEN 1 THEN made || '1' ELSE made END;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION reserve_endeavour_key(scope text, wanted text, endeavour text) RETURNS text LANGUAGE plpgsql AS $$
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
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION keep_endeavour_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.key := reserve_endeavour_key(coalesce(NEW.organization_id, NEW.created_by, NEW.id),
          coalesce(NEW.key, endeavour_key_of(NEW.name)), NEW.id);
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION take_number(endeavour text, entity text) RETURNS integer LANGUAGE plpgsql AS $$
      DECLARE
        numbers integer := hashtext(endeavour);
        blocks integer := hashtext('blocks of ' || endeavour);
        taken integer := coalesce(nullif(current_setting('worksmith.numbers_taken', true), '')::integer, 0) + 1;
        takes_block boolean := taken > 16;
        is_block_free boolean;
        candidate integer;
      BEGIN
        PERFORM set_config('worksmith.numbers_taken', taken::text, true);
        SELECT n.number INTO candidate FROM work_numbers n WHERE n.endeavour_id = endeavour
          ORDER BY n.number DESC LIMIT 1;
        candidate := coalesce(candidate, 0) + 1;
        LOOP
          is_block_free := CASE WHEN takes_block THEN pg_try_advisory_xact_lock(blocks, candidate / 64)
            ELSE pg_try_advisory_xact_lock_shared(blocks, candidate / 64) END;
          IF is_block_free THEN
            IF takes_block OR pg_try_advisory_xact_lock(numbers, candidate) THEN
              -- It is committed if a transaction took it after the last number was read.
              INSERT INTO work_numbers (endeavour_id, number, entity_id) VALUES (endeavour, candidate, entity)
                ON CONFLICT DO NOTHING;
              IF FOUND THEN RETURN candidate; END IF;
            END IF;
            candidate := candidate + 1;
          ELSE
            candidate := (candidate / 64 + 1) * 64;
          END IF;
        END LOOP;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION take_number_if_free(endeavour text, wanted integer, entity text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM unnumbered_endeavours u WHERE u.endeavour_id = endeavour)
          OR NOT pg_try_advisory_xact_lock(hashtext('blocks of ' || endeavour), wanted / 64) THEN
          RETURN false;
        END IF;
        INSERT INTO work_numbers (endeavour_id, number, entity_id) VALUES (endeavour, wanted, entity) ON CONFLICT DO NOTHING;
        RETURN FOUND;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION number_new_work() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.number IS NULL OR NOT take_number_if_free(NEW.endeavour_id, NEW.number, NEW.id) THEN
          NEW.number := take_number(NEW.endeavour_id, NEW.id);
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION number_moved_work() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE work_numbers n SET is_former = true WHERE n.endeavour_id = OLD.endeavour_id AND n.number = OLD.number;
        UPDATE work_numbers n SET is_former = false
          WHERE n.entity_id = NEW.id AND n.is_former AND n.endeavour_id = NEW.endeavour_id
          RETURNING n.number INTO NEW.number;
        IF NOT FOUND THEN NEW.number := take_number(NEW.endeavour_id, NEW.id); END IF;
        NEW.former_numbers := nullif(coalesce(OLD.former_numbers, '{}') - NEW.endeavour_id
          || CASE WHEN OLD.number IS NULL THEN '{}' ELSE jsonb_build_object(OLD.endeavour_id, OLD.number) END, '{}');
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION release_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE work_numbers n SET entity_id = NULL, is_former = false
          WHERE (n.endeavour_id = OLD.endeavour_id AND n.number = OLD.number) OR (n.entity_id = OLD.id AND n.is_former);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION forget_former_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved text[] := ARRAY(SELECT n.entity_id FROM work_numbers n WHERE n.endeavour_id = OLD.id AND n.is_former);
      BEGIN
        UPDATE tasks SET former_numbers = nullif(former_numbers - OLD.id, '{}') WHERE id = ANY(moved);
        UPDATE demands SET former_numbers = nullif(former_numbers - OLD.id, '{}') WHERE id = ANY(moved);
        RETURN OLD;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION number_existing_work(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
        numbered_tasks AS (UPDATE tasks t SET number = next.number FROM next
          WHERE t.id = next.id AND t.number IS NULL AND t.endeavour_id = place.endeavour_id RETURNING t.id, t.number),
        numbered_demands AS (UPDATE demands d SET number = next.number FROM next
          WHERE d.id = next.id AND d.number IS NULL AND d.endeavour_id = place.endeavour_id RETURNING d.id, d.number),
        taken AS (INSERT INTO work_numbers (endeavour_id, number, entity_id)
          SELECT place.endeavour_id, given.number, given.id
          FROM (SELECT * FROM numbered_tasks UNION ALL SELECT * FROM numbered_demands) given
          -- The last of these numbers is there from the beginning, so that new work is numbered behind them.
          ON CONFLICT (endeavour_id, number) DO UPDATE SET entity_id = excluded.entity_id)
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
      END $$`);
    await runner.query(`CREATE OR REPLACE VIEW work_keys AS
      SELECT t.id AS entity_id, e.key || '-' || t.number AS key FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
      UNION ALL
      SELECT d.id, e.key || '-' || d.number FROM demands d JOIN endeavours e ON e.id = d.endeavour_id`);
    await runner.query(`DROP TRIGGER IF EXISTS tasks_number_new ON tasks`);
    await runner.query(
      `CREATE TRIGGER tasks_number_new BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION number_new_work()`,
    );
    await runner.query(`DROP TRIGGER IF EXISTS tasks_number_moved ON tasks`);
    await runner.query(`CREATE TRIGGER tasks_number_moved BEFORE UPDATE OF endeavour_id ON tasks FOR EACH ROW
        WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION number_moved_work()`);
    await runner.query(`DROP TRIGGER IF EXISTS tasks_release_numbers ON tasks`);
    await runner.query(
      `CREATE TRIGGER tasks_release_numbers AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION release_numbers()`,
    );
    await runner.query(`DROP TRIGGER IF EXISTS demands_number_new ON demands`);
    await runner.query(
      `CREATE TRIGGER demands_number_new BEFORE INSERT ON demands FOR EACH ROW EXECUTE FUNCTION number_new_work()`,
    );
    await runner.query(`DROP TRIGGER IF EXISTS demands_number_moved ON demands`);
    await runner.query(`CREATE TRIGGER demands_number_moved BEFORE UPDATE OF endeavour_id ON demands FOR EACH ROW
        WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION number_moved_work()`);
    await runner.query(`DROP TRIGGER IF EXISTS demands_release_numbers ON demands`);
    await runner.query(
      `CREATE TRIGGER demands_release_numbers AFTER DELETE ON demands FOR EACH ROW EXECUTE FUNCTION release_numbers()`,
    );
    await runner.query(`DROP TRIGGER IF EXISTS endeavours_forget_former_numbers ON endeavours`);
    await runner.query(`CREATE TRIGGER endeavours_forget_former_numbers BEFORE DELETE ON endeavours FOR EACH ROW
      EXECUTE FUNCTION forget_former_numbers()`);
    await runner.query(`DROP TRIGGER IF EXISTS endeavours_keep_new_key ON endeavours`);
    await runner.query(
      `CREATE TRIGGER endeavours_keep_new_key BEFORE INSERT ON endeavours FOR EACH ROW EXECUTE FUNCTION keep_endeavour_key()`,
    );
    await runner.query(`DROP TRIGGER IF EXISTS endeavours_keep_key ON endeavours`);
    await runner.query(`CREATE TRIGGER endeavours_keep_key BEFORE UPDATE OF key, organization_id ON endeavours FOR EACH ROW
      WHEN (NEW.key IS NOT NULL AND (NEW.key IS DISTINCT FROM OLD.key OR NEW.organization_id IS DISTINCT FROM OLD.organization_id))
      EXECUTE FUNCTION keep_endeavour_key()`);
    // Existing work is numbered by a job, from 1; new work is numbered behind it from the beginning.
    await runner.query(`INSERT INTO unnumbered_endeavours (endeavour_id) SELECT id FROM endeavours`);
    await runner.query(`INSERT INTO work_numbers (endeavour_id, number)
      SELECT endeavour_id, count(*) FROM (SELECT endeavour_id FROM tasks UNION ALL SELECT endeavour_id FROM demands) existing
      GROUP BY endeavour_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER endeavours_keep_key ON endeavours`);
    await runner.query(`DROP TRIGGER endeavours_keep_new_key ON endeavours`);
    await runner.query(`DROP TRIGGER endeavours_forget_former_numbers ON endeavours`);
    await runner.query(`DROP TRIGGER demands_release_numbers ON demands`);
    await runner.query(`DROP TRIGGER demands_number_moved ON demands`);
    await runner.query(`DROP TRIGGER demands_number_new ON demands`);
    await runner.query(`DROP TRIGGER tasks_release_numbers ON tasks`);
    await runner.query(`DROP TRIGGER tasks_number_moved ON tasks`);
    await runner.query(`DROP TRIGGER tasks_number_new ON tasks`);
    await runner.query(`DROP VIEW work_keys`);
    await runner.query(`DROP FUNCTION number_existing_work`);
    await runner.query(`DROP FUNCTION forget_former_numbers`);
    await runner.query(`DROP FUNCTION release_numbers`);
    await runner.query(`DROP FUNCTION number_moved_work`);
    await runner.query(`DROP FUNCTION number_new_work`);
    await runner.query(`DROP FUNCTION take_number_if_free`);
    await runner.query(`DROP FUNCTION take_number`);
    await runner.query(`DROP FUNCTION keep_endeavour_key`);
    await runner.query(`DROP FUNCTION reserve_endeavour_key`);
    await runner.query(`DROP FUNCTION endeavour_key_of`);
  }
}
