import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fields that endeavours declare for their tasks and demands. */
export class DeclaredFields1763700004440 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE field_renewals (endeavour_id text NOT NULL, keys text array NOT NULL, kind text NOT NULL DEFAULT 'demand', after_time TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT '-infinity', after_id text NOT NULL DEFAULT '', CONSTRAINT field_renewals_pkey PRIMARY KEY (endeavour_id))`,
    );
    await runner.query(
      `CREATE TABLE field_values (entity_id text NOT NULL, key text NOT NULL, item integer NOT NULL, endeavour_id text NOT NULL, text_value text, number_value double precision, day_value date, flag_value boolean, CONSTRAINT field_values_pkey PRIMARY KEY (entity_id, key, item))`,
    );
    await runner.query(
      `CREATE INDEX field_values_flag_idx ON field_values (endeavour_id, key, flag_value, entity_id) WHERE flag_value IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX field_values_day_idx ON field_values (endeavour_id, key, day_value, entity_id) WHERE day_value IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX field_values_number_idx ON field_values (endeavour_id, key, number_value, entity_id) WHERE number_value IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX field_values_text_idx ON field_values (endeavour_id, key, text_value, entity_id) WHERE text_value IS NOT NULL`,
    );
    await runner.query(`ALTER TABLE endeavours ADD fields jsonb`);
    await runner.query(
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_fields_check CHECK (jsonb_array_length(fields) BETWEEN 1 AND 50) NOT VALID`,
    );
    await runner.query(
      `ALTER TABLE field_renewals ADD CONSTRAINT field_renewals_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(`CREATE FUNCTION fits_field(value jsonb, field jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE field ->> 'type'
        WHEN 'text' THEN jsonb_typeof(value) = 'string' AND char_length(value #>> '{}') BETWEEN 1 AND 500
        WHEN 'number' THEN CASE WHEN jsonb_typeof(value) = 'number' THEN abs((value #>> '{}')::numeric) <= 1e15 ELSE false END
        WHEN 'day' THEN CASE WHEN jsonb_typeof(value) = 'string'
            AND value #>> '{}' ~ '^(19[7-9]|[2-9]\\d\\d)\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'
          THEN right(value #>> '{}', 2)::integer <= extract(day FROM make_date(left(value #>> '{}', 4)::integer,
            substr(value #>> '{}', 6, 2)::integer, 1) + interval '1 month' - interval '1 day') ELSE false END
        WHEN 'choice' THEN jsonb_typeof(value) = 'string' AND field -> 'options' ? (value #>> '{}')
        WHEN 'choices' THEN jsonb_typeof(value) = 'array' AND field -> 'options' @> value
        WHEN 'person' THEN jsonb_typeof(value) = 'string' AND value #>> '{}' ~ '^res_[0-9a-f]{32}$'
        WHEN 'url' THEN jsonb_typeof(value) = 'string' AND char_length(value #>> '{}') <= 2048
          AND value #>> '{}' ~* '^https?://[^\\s/?#@\\\\][^\\s/?#@]*(?:[/?#]\\S*)?$'
        WHEN 'flag' THEN jsonb_typeof(value) = 'boolean'
        ELSE false END $$`);
    await runner.query(`CREATE FUNCTION declared_values(metadata jsonb, fields jsonb, kind text)
      RETURNS TABLE (key text, item integer, text_value text, number_value double precision, day_value date, flag_value boolean)
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT field.value ->> 'key', part.place::integer - 1,
        CASE WHEN field.value ->> 'type' = 'choices' THEN part.value #>> '{}'
          WHEN field.value ->> 'type' IN ('text', 'choice', 'person', 'url')
          THEN left(metadata ->> (field.value ->> 'key'), 500) END,
        CASE field.value ->> 'type' WHEN 'number' THEN (metadata ->> (field.value ->> 'key'))::double precision
          WHEN 'choice' THEN (SELECT option.place FROM jsonb_array_elements_text(field.value -> 'options')
            WITH ORDINALITY AS option (value, place) WHERE option.value = metadata ->> (field.value ->> 'key') LIMIT 1) END,
        CASE field.value ->> 'type' WHEN 'day' THEN make_date(left(metadata ->> (field.value ->> 'key'), 4)::integer,
          substr(metadata ->> (field.value ->> 'key'), 6, 2)::integer, right(metadata ->> (field.value ->> 'key'), 2)::integer) END,
        CASE field.value ->> 'type' WHEN 'flag' THEN (metadata ->> (field.value ->> 'key'))::boolean END
      FROM jsonb_array_elements(fields) AS field (value)
      CROSS JOIN LATERAL jsonb_array_elements(CASE
        WHEN fits_field(metadata -> (field.value ->> 'key'), field.value) IS NOT TRUE THEN '[]'
        WHEN field.value ->> 'type' = 'choices' THEN metadata -> (field.value ->> 'key')
        ELSE '[null]' END) WITH ORDINALITY AS part (value, place)
      WHERE metadata ? (field.value ->> 'key') AND coalesce(field.value ->> 'applies_to', kind) = kind $$`);
    await runner.query(`CREATE FUNCTION keep_field_values() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        declared jsonb;
      BEGIN
        IF TG_OP = 'DELETE' THEN
          DELETE FROM field_values v WHERE v.entity_id = OLD.id;
          RETURN NULL;
        END IF;
        SELECT e.fields INTO declared FROM endeavours e WHERE e.id = NEW.endeavour_id;
        IF TG_OP = 'UPDATE' THEN
          IF NEW.endeavour_id <> OLD.endeavour_id THEN
            DELETE FROM field_values v WHERE v.entity_id = NEW.id;
          ELSIF declared IS NOT NULL THEN
            declared := (SELECT jsonb_agg(field.value) FROM jsonb_array_elements(declared) AS field (value)
              WHERE NEW.metadata -> (field.value ->> 'key') IS DISTINCT FROM OLD.metadata -> (field.value ->> 'key'));
            IF declared IS NOT NULL THEN
              DELETE FROM field_values v WHERE v.entity_id = NEW.id
                AND v.key = ANY(ARRAY(SELECT field.value ->> 'key' FROM jsonb_array_elements(declared) AS field (value)));
            END IF;
          END IF;
        END IF;
        IF declared IS NOT NULL THEN
          INSERT INTO field_values (entity_id, key, item, endeavour_id, text_value, number_value, day_value, flag_value)
            SELECT NEW.id, d.key, d.item, NEW.endeavour_id, d.text_value, d.number_value, d.day_value, d.flag_value
            FROM declared_values(NEW.metadata, declared, TG_ARGV[0]) d;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION renew_declared_fields() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO field_renewals AS r (endeavour_id, keys)
          SELECT NEW.id, array_agg(changed.key ORDER BY changed.key) FROM (
            SELECT coalesce(former.value ->> 'key', later.value ->> 'key') AS key
            FROM jsonb_array_elements(OLD.fields) AS former (value)
            FULL JOIN jsonb_array_elements(NEW.fields) AS later (value) ON later.value ->> 'key' = former.value ->> 'key'
            WHERE (former.value -> 'type', former.value -> 'options', former.value -> 'applies_to')
              IS DISTINCT FROM (later.value -> 'type', later.value -> 'options', later.value -> 'applies_to')) changed
          HAVING count(*) > 0
          ON CONFLICT (endeavour_id) DO UPDATE SET kind = 'demand', after_time = '-infinity', after_id = '',
            keys = ARRAY(SELECT DISTINCT wanted.key FROM unnest(r.keys || EXCLUDED.keys) AS wanted (key) ORDER BY wanted.key);
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION renew_field_values(most integer, endeavour text DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        place text;
        declared jsonb;
        due field_renewals;
        batch text[];
        last_time timestamptz;
      BEGIN
        SELECT e.id, e.fields INTO place, declared FROM field_renewals r JOIN endeavours e ON e.id = r.endeavour_id
          WHERE endeavour IS NULL OR r.endeavour_id = endeavour ORDER BY r.endeavour_id LIMIT 1
          FOR KEY SHARE OF e SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        SELECT * INTO due FROM field_renewals r WHERE r.endeavour_id = place FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        declared := (SELECT jsonb_agg(field.value) FROM jsonb_array_elements(declared) AS field (value)
          WHERE field.value ->> 'key' = ANY(due.keys));
        IF due.kind = 'demand' THEN
          batch := ARRAY(SELECT d.id FROM demands d WHERE d.endeavour_id = place
            AND (d.created_at, d.id) > (due.after_time, due.after_id) ORDER BY d.created_at, d.id LIMIT most);
          SELECT d.created_at INTO last_time FROM demands d WHERE d.id = batch[cardinality(batch)];
          PERFORM 1 FROM demands d WHERE d.id = ANY(batch) ORDER BY d.id FOR NO KEY UPDATE;
        ELSE
          batch := ARRAY(SELECT t.id FROM tasks t WHERE t.endeavour_id = place
            AND (t.created_at, t.id) > (due.after_time, due.after_id) ORDER BY t.created_at, t.id LIMIT most);
          SELECT t.created_at INTO last_time FROM tasks t WHERE t.id = batch[cardinality(batch)];
          PERFORM 1 FROM tasks t WHERE t.id = ANY(batch) ORDER BY t.id FOR NO KEY UPDATE;
        END IF;
        DELETE FROM field_values v WHERE v.entity_id = ANY(batch) AND v.key = ANY(due.keys) AND v.endeavour_id = place;
        INSERT INTO field_values (entity_id, key, item, endeavour_id, text_value, number_value, day_value, flag_value)
          SELECT work.id, d.key, d.item, place, d.text_value, d.number_value, d.day_value, d.flag_value
          FROM (SELECT t.id, t.metadata FROM tasks t WHERE due.kind = 'task' AND t.id = ANY(batch) AND t.endeavour_id = place
            UNION ALL SELECT m.id, m.metadata FROM demands m
            WHERE due.kind = 'demand' AND m.id = ANY(batch) AND m.endeavour_id = place) work
          CROSS JOIN LATERAL declared_values(work.metadata, declared, due.kind) d;
        IF cardinality(batch) = most THEN
          UPDATE field_renewals r SET after_time = last_time, after_id = batch[most] WHERE r.endeavour_id = place;
        ELSIF due.kind = 'demand' THEN
          UPDATE field_renewals r SET kind = 'task', after_time = '-infinity', after_id = '' WHERE r.endeavour_id = place;
        ELSE
          DELETE FROM field_renewals r WHERE r.endeavour_id = place;
        END IF;
        RETURN true;
      END $$`);
    await runner.query(`CREATE FUNCTION count_unfitting(endeavour text, keys text[], most integer)
      RETURNS TABLE (key text, count integer, more boolean) LANGUAGE sql STABLE AS $$
      WITH work AS MATERIALIZED (
        (SELECT t.metadata, 'task' AS kind FROM tasks t WHERE t.endeavour_id = endeavour ORDER BY t.created_at, t.id LIMIT most)
        UNION ALL
        (SELECT m.metadata, 'demand' FROM demands m WHERE m.endeavour_id = endeavour ORDER BY m.created_at, m.id LIMIT most))
      SELECT wanted.key, count(*) FILTER (WHERE jsonb_typeof(work.metadata -> wanted.key) <> 'null'
          AND (declared.field IS NULL OR coalesce(declared.field ->> 'applies_to', work.kind) <> work.kind
            OR fits_field(work.metadata -> wanted.key, declared.field) IS NOT TRUE))::integer,
        coalesce(greatest(count(*) FILTER (WHERE work.kind = 'task'), count(*) FILTER (WHERE work.kind = 'demand')) >= most, false)
      FROM unnest(keys) AS wanted (key)
      LEFT JOIN LATERAL (SELECT f.value AS field FROM endeavours e, jsonb_array_elements(e.fields) AS f (value)
        WHERE e.id = endeavour AND f.value ->> 'key' = wanted.key) declared ON true
      LEFT JOIN work ON true GROUP BY wanted.key $$`);
    await runner.query(`CREATE TRIGGER endeavours_renew_declared_fields AFTER UPDATE OF fields ON endeavours FOR EACH ROW
      WHEN (OLD.fields IS DISTINCT FROM NEW.fields) EXECUTE FUNCTION renew_declared_fields()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER endeavours_renew_declared_fields ON endeavours`);
    await runner.query(`DROP FUNCTION count_unfitting`);
    await runner.query(`DROP FUNCTION renew_field_values`);
    await runner.query(`DROP FUNCTION renew_declared_fields`);
    await runner.query(`DROP FUNCTION keep_field_values`);
    await runner.query(`DROP FUNCTION declared_values`);
    await runner.query(`DROP FUNCTION fits_field`);
    await runner.query(`ALTER TABLE endeavours DROP COLUMN fields`);
    await runner.query(`DROP TABLE field_values`);
    await runner.query(`DROP TABLE field_renewals`);
  }
}
