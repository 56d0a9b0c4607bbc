import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables and functions of keys and numbers, and the numbers that are kept for existing work. Locks nothing that clients use. */
export class WorkKeys1763700003800 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE endeavour_keys (scope_id text NOT NULL, key text NOT NULL, endeavour_id text NOT NULL, CONSTRAINT endeavour_keys_key_check CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$'), CONSTRAINT endeavour_keys_pkey PRIMARY KEY (scope_id, key))`,
    );
    await runner.query(`CREATE INDEX endeavour_keys_key_idx ON endeavour_keys (key)`);
    await runner.query(`CREATE INDEX endeavour_keys_endeavour_id_key_idx ON endeavour_keys (endeavour_id, key)`);
    await runner.query(
      `CREATE TABLE unnumbered_endeavours (endeavour_id text NOT NULL, next_number integer NOT NULL DEFAULT '1', last_number integer NOT NULL DEFAULT '0', after_time TIMESTAMP(3) WITH TIME ZONE, after_id text NOT NULL DEFAULT '', CONSTRAINT unnumbered_endeavours_pkey PRIMARY KEY (endeavour_id))`,
    );
    await runner.query(
      `CREATE TABLE work_numbers (endeavour_id text NOT NULL, number integer NOT NULL, entity_id text, is_former boolean NOT NULL DEFAULT false, CONSTRAINT work_numbers_number_check CHECK (number > 0), CONSTRAINT work_numbers_pkey PRIMARY KEY (endeavour_id, number))`,
    );
    await runner.query(`CREATE INDEX work_numbers_former_idx ON work_numbers (entity_id) WHERE is_former`);
    await runner.query(`CREATE FUNCTION endeavour_key_of(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
      DECLARE
        words text[] := array_remove(regexp_split_to_array(upper(public.fold_text(name)), '[^A-Z0-9]+'), '');
        made text := (SELECT string_agg(left(word, 1), '' ORDER BY place) FROM unnest(words) WITH ORDINALITY AS w (word, place));
      BEGIN
        IF coalesce(array_length(words, 1), 0) < 2 THEN made := words[1]; END IF;
        made := left(regexp_replace(coalesce(made, ''), '^[0-9]+', ''), 4);
        RETURN CASE char_length(made) WHEN 0 THEN 'WORK' WHEN 1 THEN made || '1' ELSE made END;
      END $$`);
    await runner.query(`CREATE FUNCTION reserve_endeavour_key(scope text, wanted text, endeavour text) RETURNS text LANGUAGE plpgsql AS $$
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
    await runner.query(`CREATE FUNCTION keep_endeavour_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.key := reserve_endeavour_key(coalesce(NEW.organization_id, NEW.created_by, NEW.id),
          coalesce(NEW.key, endeavour_key_of(NEW.name)), NEW.id);
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE FUNCTION take_number(endeavour text, entity text) RETURNS integer LANGUAGE plpgsql AS $$
      DECLARE
        numbers integer := hashtext(endeavour);
        blocks integer := hashtext('blocks of ' || endeavour);
        taken integer := coalesce(nullif(current_setting('worksmith.numbers_taken', true), '')::integer, 0) + 1;
        takes_block boolean := taken > 16;
        is_block_free boolean;
        candidate integer;
      BEGIN
        PERFORM set_config('worksmith.numbers_taken', taken::text, true);
        SELECT greatest(
            (SELECT n.number FROM work_numbers n WHERE n.endeavour_id = endeavour ORDER BY n.number DESC LIMIT 1),
            (SELECT u.last_number FROM unnumbered_endeavours u WHERE u.endeavour_id = endeavour), 0) + 1
          INTO candidate;
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
    await runner.query(`CREATE FUNCTION take_number_if_free(endeavour text, wanted integer, entity text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM unnumbered_endeavours u WHERE u.endeavour_id = endeavour)
          OR NOT pg_try_advisory_xact_lock(hashtext('blocks of ' || endeavour), wanted / 64) THEN
          RETURN false;
        END IF;
        INSERT INTO work_numbers (endeavour_id, number, entity_id) VALUES (endeavour, wanted, entity) ON CONFLICT DO NOTHING;
        RETURN FOUND;
      END $$`);
    await runner.query(`CREATE FUNCTION number_new_work() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.number IS NULL OR NOT take_number_if_free(NEW.endeavour_id, NEW.number, NEW.id) THEN
          NEW.number := take_number(NEW.endeavour_id, NEW.id);
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE FUNCTION number_moved_work() RETURNS trigger LANGUAGE plpgsql AS $$
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
    await runner.query(`CREATE FUNCTION release_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE work_numbers n SET entity_id = NULL, is_former = false
          WHERE (n.endeavour_id = OLD.endeavour_id AND n.number = OLD.number) OR (n.entity_id = OLD.id AND n.is_former);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION forget_former_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved text[] := ARRAY(SELECT n.entity_id FROM work_numbers n WHERE n.endeavour_id = OLD.id AND n.is_former);
      BEGIN
        UPDATE tasks SET former_numbers = nullif(former_numbers - OLD.id, '{}') WHERE id = ANY(moved);
        UPDATE demands SET former_numbers = nullif(former_numbers - OLD.id, '{}') WHERE id = ANY(moved);
        RETURN OLD;
      END $$`);
    await runner.query(`CREATE FUNCTION number_existing_work(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
      END $$`);
    // New work is numbered behind existing work from the beginning; a job numbers the latter.
    await runner.query(`INSERT INTO unnumbered_endeavours (endeavour_id, last_number)
      SELECT e.id, (SELECT count(*) FROM tasks t WHERE t.endeavour_id = e.id) + (SELECT count(*) FROM demands d WHERE d.endeavour_id = e.id)
      FROM endeavours e`);
  }

  async down(runner: QueryRunner): Promise<void> {
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
    await runner.query(`DROP TABLE work_numbers`);
    await runner.query(`DROP TABLE unnumbered_endeavours`);
    await runner.query(`DROP TABLE endeavour_keys`);
  }
}
