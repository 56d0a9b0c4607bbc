import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** Renews the words of rows that were written before words were cut as they are now. */
export const SEARCH_OBJECTS: DatabaseObjects = {
  functions: [
    /** Renews the words of the next rows, at most so many; returns whether some are left. */
    `CREATE FUNCTION renew_search_words(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due record;
        last text;
        counted integer;
      BEGIN
        SELECT table_name, after_id INTO due FROM search_renewals ORDER BY table_name LIMIT 1 FOR UPDATE;
        IF NOT FOUND THEN RETURN false; END IF;
        EXECUTE format(
          'WITH batch AS MATERIALIZED (SELECT id FROM %I WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE),
             renewed AS (UPDATE %I row SET words = search_words(%s) FROM batch WHERE row.id = batch.id)
           SELECT max(id), count(*) FROM batch',
          due.table_name, due.table_name, CASE due.table_name WHEN 'organizations' THEN 'name, description'
            WHEN 'endeavours' THEN 'name, description' WHEN 'demands'
            THEN 'title, concat_ws('' '', external_ref ->> ''id'', nullif(array_to_string(label_names(labels), '' ''), ''''), description)'
            WHEN 'tasks'
            THEN 'title, concat_ws('' '', external_ref ->> ''id'', nullif(array_to_string(label_names(labels), '' ''), ''''), description)'
            WHEN 'artifacts'
            THEN 'title, summary' WHEN 'dod_policies' THEN 'name, description' WHEN 'rituals'
            THEN 'name, description' WHEN 'templates' THEN 'name, body' WHEN 'resources' THEN 'name, NULL'
            WHEN 'comments' THEN 'NULL, content' WHEN 'messages' THEN 'subject, content' END) INTO last,
            counted USING due.after_id, most;
        IF counted < most THEN
          DELETE FROM search_renewals WHERE table_name = due.table_name;
        ELSE
          UPDATE search_renewals SET after_id = last WHERE table_name = due.table_name;
        END IF;
        RETURN true;
      END $$`,
  ],
};
