import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** The tables whose rows have values of declared fields, with the kinds of their rows. */
const FIELDED = [
  { table: 'tasks', kind: 'task' },
  { table: 'demands', kind: 'demand' },
];

/** The values of declared fields by which tasks and demands are filtered and sorted, and what follows a change of fields. */
export const FIELD_VALUE_OBJECTS: DatabaseObjects = {
  functions: [
    /** Whether a value fits its field, by the rules with which the service checks requests; a person can have left since. */
    `CREATE FUNCTION fits_field(value jsonb, field jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
        ELSE false END $$`,
    /** The values of metadata that fit the fields of that kind of work; each choice of several is one. */
    `CREATE FUNCTION declared_values(metadata jsonb, fields jsonb, kind text)
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
      WHERE metadata ? (field.value ->> 'key') AND coalesce(field.value ->> 'applies_to', kind) = kind $$`,
    /** Keeps the values of declared fields like the metadata of the task or demand. Endeavours without fields have none. */
    `CREATE FUNCTION keep_field_values() RETURNS trigger LANGUAGE plpgsql AS $$
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
      END $$`,
    /** Lets a job read the values of the fields again that an endeavour declares in another way, or no longer. */
    `CREATE FUNCTION renew_declared_fields() RETURNS trigger LANGUAGE plpgsql AS $$
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
      END $$`,
    /**
     * Reads the values of changed fields of at most that many tasks or demands, of the endeavour or of the next one; returns
     * whether some may be left. The endeavour is locked first, as by those who write in it.
     */
    `CREATE FUNCTION renew_field_values(most integer, endeavour text DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
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
      END $$`,
    /**
     * The number of tasks and demands whose values of these keys do not fit the fields of their endeavour, or have none
     * there, among at most that many of each; \`more\` says whether there are others.
     */
    `CREATE FUNCTION count_unfitting(endeavour text, keys text[], most integer)
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
      LEFT JOIN work ON true GROUP BY wanted.key $$`,
  ],
  triggers: [
    `CREATE TRIGGER endeavours_renew_declared_fields AFTER UPDATE OF fields ON endeavours FOR EACH ROW
      WHEN (OLD.fields IS DISTINCT FROM NEW.fields) EXECUTE FUNCTION renew_declared_fields()`,
    ...FIELDED.flatMap(({ table, kind }) => [
      `CREATE TRIGGER ${table}_forget_field_values AFTER DELETE ON ${table} FOR EACH ROW
      WHEN (OLD.metadata <> '{}') EXECUTE FUNCTION keep_field_values('${kind}')`,
      `CREATE TRIGGER ${table}_keep_field_values AFTER UPDATE OF metadata, endeavour_id ON ${table} FOR EACH ROW
      WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata OR OLD.endeavour_id <> NEW.endeavour_id)
      EXECUTE FUNCTION keep_field_values('${kind}')`,
      `CREATE TRIGGER ${table}_keep_new_field_values AFTER INSERT ON ${table} FOR EACH ROW
      WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION keep_field_values('${kind}')`,
    ]),
  ],
};
