import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** The tables whose rows have labels. */
const LABELED = ['tasks', 'demands'];

/** The labels of tasks and demands: their names, the table by which they are filtered, and what follows a renaming. */
export const LABEL_OBJECTS: DatabaseObjects = {
  functions: [
    /** The names of labels, in the order of their folded forms. A label that was merged has the name of the other one. */
    `CREATE FUNCTION label_names(ids text[]) RETURNS text[] LANGUAGE sql STABLE AS $$
      SELECT coalesce(array_agg(shown.name ORDER BY shown.folded), '{}') FROM (SELECT DISTINCT root.name, root.folded
        FROM public.labels l JOIN public.labels root ON root.id = coalesce(l.merged_into, l.id)
        WHERE l.id = ANY(ids)) shown $$`,
    /** The ids of the labels of an endeavour with these names, which it makes if they do not exist; null for none. */
    `CREATE FUNCTION labels_in(endeavour text, names text[]) RETURNS text[] LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO labels (id, endeavour_id, name, folded)
          SELECT new_id('lbl'), endeavour, wanted.name, wanted.folded
          FROM (SELECT DISTINCT ON (fold_name(sent.name)) sent.name, fold_name(sent.name) AS folded
            FROM unnest(names) WITH ORDINALITY AS sent (name, place) ORDER BY fold_name(sent.name), sent.place) wanted
          WHERE NOT EXISTS (SELECT 1 FROM labels l
            WHERE l.endeavour_id = endeavour AND l.folded = wanted.folded AND l.merged_into IS NULL)
          ORDER BY wanted.folded
          ON CONFLICT (endeavour_id, folded) WHERE merged_into IS NULL DO NOTHING;
        RETURN (SELECT array_agg(l.id ORDER BY l.id) FROM labels l WHERE l.endeavour_id = endeavour
          AND l.merged_into IS NULL AND l.folded = ANY(ARRAY(SELECT fold_name(sent.name) FROM unnest(names) AS sent (name))));
      END $$`,
    /** Gives a label another name; if the endeavour has a label of that name, merges it into that one. */
    `CREATE FUNCTION rename_label(label text, wanted text) RETURNS text LANGUAGE plpgsql AS $$
      DECLARE
        other text;
      BEGIN
        INSERT INTO label_renewals AS r (label_id)
          SELECT l.id FROM labels l WHERE l.id = label OR l.merged_into = label
          ON CONFLICT (label_id) DO UPDATE SET after_id = '';
        LOOP
          SELECT l.id INTO other FROM labels own JOIN labels l ON l.endeavour_id = own.endeavour_id
            AND l.folded = fold_name(wanted) AND l.merged_into IS NULL AND l.id <> own.id WHERE own.id = label;
          IF FOUND THEN
            UPDATE labels l SET merged_into = other WHERE l.id = label OR l.merged_into = label;
            RETURN other;
          END IF;
          BEGIN
            UPDATE labels l SET name = wanted, folded = fold_name(wanted) WHERE l.id = label;
            RETURN label;
          EXCEPTION WHEN unique_violation THEN
            -- Something got a label of that name meanwhile, so that it can be merged now.
            NULL;
          END;
        END LOOP;
      END $$`,
    /** What moves to another endeavour has labels of the same names there. */
    `CREATE FUNCTION take_labels_along() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.labels := labels_in(NEW.endeavour_id, label_names(NEW.labels));
        RETURN NEW;
      END $$`,
    /** Keeps the table by which tasks and demands are filtered like the labels in their rows. */
    `CREATE FUNCTION keep_labeled_work() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          DELETE FROM labeled_work w WHERE w.entity_id = OLD.id
            AND (TG_OP = 'DELETE' OR w.label_id <> ALL (coalesce(NEW.labels, '{}')));
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO labeled_work (label_id, entity_id, endeavour_id)
            SELECT held.id, NEW.id, NEW.endeavour_id FROM unnest(NEW.labels) AS held (id) ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
      END $$`,
    /** Renews the search words of at most that many tasks and demands with a renamed label; returns whether some may be left. */
    `CREATE FUNCTION renew_label_words(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due label_renewals;
        batch text[];
      BEGIN
        SELECT * INTO due FROM label_renewals r ORDER BY r.label_id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        batch := ARRAY(SELECT w.entity_id FROM labeled_work w WHERE w.label_id = due.label_id AND w.entity_id > due.after_id
          ORDER BY w.entity_id LIMIT most);
        PERFORM 1 FROM demands d WHERE d.id = ANY(batch) ORDER BY d.id FOR NO KEY UPDATE;
        UPDATE demands d SET labels = d.labels WHERE d.id = ANY(batch);
        PERFORM 1 FROM tasks t WHERE t.id = ANY(batch) ORDER BY t.id FOR NO KEY UPDATE;
        UPDATE tasks t SET labels = t.labels WHERE t.id = ANY(batch);
        IF cardinality(batch) < most THEN
          DELETE FROM label_renewals r WHERE r.label_id = due.label_id;
        ELSE
          UPDATE label_renewals r SET after_id = batch[cardinality(batch)] WHERE r.label_id = due.label_id;
        END IF;
        RETURN true;
      END $$`,
    /** The texts of a JSON array that can be names of labels, fifty at most. */
    `CREATE FUNCTION usable_labels(texts jsonb) RETURNS text[] LANGUAGE sql STABLE AS $$
      SELECT coalesce(array_agg(found.name ORDER BY found.place), '{}') FROM (
        SELECT btrim(text.value #>> '{}') AS name, text.place
        FROM jsonb_array_elements(CASE jsonb_typeof(texts) WHEN 'array' THEN texts ELSE '[]' END)
          WITH ORDINALITY AS text (value, place)
        WHERE jsonb_typeof(text.value) = 'string' AND char_length(btrim(text.value #>> '{}')) BETWEEN 1 AND 100
          AND btrim(text.value #>> '{}') !~ '^!|,|[[:cntrl:]]' AND fold_name(text.value #>> '{}') NOT IN ('', 'none')
        ORDER BY text.place LIMIT 50) found $$`,
    /**
     * Gives the next imported tasks or demands of a release without labels those that they have in metadata, where they
     * stay; returns whether some may be left.
     */
    `CREATE FUNCTION convert_metadata_labels(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due label_conversions;
        batch record;
        last text := '';
        counted integer := 0;
      BEGIN
        SELECT * INTO due FROM label_conversions c ORDER BY c.table_name LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        FOR batch IN EXECUTE format('SELECT id, labels,
            CASE WHEN metadata ? ''imported'' OR external_ref IS NOT NULL THEN metadata -> ''labels'' END AS texts
            FROM %I WHERE id > $1 ORDER BY id LIMIT $2', due.table_name) USING due.after_id, most LOOP
          last := batch.id;
          counted := counted + 1;
          CONTINUE WHEN batch.labels IS NOT NULL OR batch.texts IS NULL;
          EXECUTE format('UPDATE %I SET labels = labels_in(endeavour_id, usable_labels(metadata -> ''labels''))
            WHERE id = $1 AND labels IS NULL', due.table_name) USING batch.id;
        END LOOP;
        IF counted < most THEN
          DELETE FROM label_conversions c WHERE c.table_name = due.table_name;
        ELSE
          UPDATE label_conversions c SET after_id = last WHERE c.table_name = due.table_name;
        END IF;
        RETURN true;
      END $$`,
  ],
  triggers: LABELED.flatMap((table) => [
    `CREATE TRIGGER ${table}_forget_labels AFTER DELETE ON ${table} FOR EACH ROW
      WHEN (OLD.labels IS NOT NULL) EXECUTE FUNCTION keep_labeled_work()`,
    `CREATE TRIGGER ${table}_keep_labels AFTER UPDATE OF labels, endeavour_id ON ${table} FOR EACH ROW
      WHEN (OLD.labels IS DISTINCT FROM NEW.labels) EXECUTE FUNCTION keep_labeled_work()`,
    `CREATE TRIGGER ${table}_keep_new_labels AFTER INSERT ON ${table} FOR EACH ROW
      WHEN (NEW.labels IS NOT NULL) EXECUTE FUNCTION keep_labeled_work()`,
    `CREATE TRIGGER ${table}_take_labels_along BEFORE UPDATE OF endeavour_id ON ${table} FOR EACH ROW
      WHEN (OLD.endeavour_id <> NEW.endeavour_id AND NEW.labels IS NOT NULL) EXECUTE FUNCTION take_labels_along()`,
  ]),
};
