import type { DatabaseObjects } from '../database/schema/database-objects.js';

/**
 * Tables with one partition for each month (decision 0075). Ids begin with their time in milliseconds, so that the bound
 * of a month is the beginning of its first id. The partitions are in a schema of their own, to which the role of the
 * service has no rights: it reaches rows only through the table, even if default privileges give it more on new tables.
 */
export const PARTITION_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Adds the partitions that are missing for this month and the next two, and returns their number. It belongs to the
     * owner of the tables, because only the owner can add partitions. It fails instead of waiting for a lock
     * (`lock_not_available`), because writers would queue behind it.
     */
    `CREATE FUNCTION add_month_partitions(of_table text) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
      DECLARE
        audit constant text[] := '{audit_entries,audit_unsealed,audit_origins}';
        kind text := CASE WHEN of_table = 'webhook_deliveries' THEN 'whd' WHEN of_table = ANY(audit) THEN 'aud' END;
        -- The others refer to the first in each month: a foreign key of the tables would lock out writers here.
        family text[] := CASE kind WHEN 'whd' THEN ARRAY[of_table] WHEN 'aud' THEN audit END;
        edge timestamptz := date_trunc('month', now()) + interval '3 months';
        reached timestamptz;
        added integer := 0;
        member text;
        month text;
        referenced regclass;
      BEGIN
        reached := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = family[1]);
        IF reached IS NULL THEN
          RAISE EXCEPTION '% has no partitions by month', of_table USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF reached >= edge THEN RETURN 0; END IF;
        -- A foreign key of a partition adds a trigger to the table that it refers to.
        FOR referenced IN SELECT DISTINCT c.confrelid::regclass FROM pg_constraint c
          WHERE c.contype = 'f' AND c.conrelid = family[1]::regclass
        LOOP
          EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE NOWAIT', referenced);
        END LOOP;
        FOREACH member IN ARRAY family LOOP
          EXECUTE format('LOCK TABLE %I IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', member);
        END LOOP;
        LOOP
          -- Another replica may have added some before this one had the lock.
          reached := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = family[1]);
          EXIT WHEN reached >= edge;
          month := to_char(reached, '_YYYY_MM');
          FOREACH member IN ARRAY family LOOP
            EXECUTE format('CREATE TABLE partitions.%I (LIKE %I INCLUDING ALL)', member || month, member);
            IF member <> family[1] THEN
              EXECUTE format('ALTER TABLE partitions.%I ADD CONSTRAINT %I FOREIGN KEY (entry_id) REFERENCES partitions.%I ON DELETE CASCADE',
                member || month, member || '_entry_id_fkey', family[1] || month);
            ELSIF kind = 'aud' THEN
              -- Triggers of rows are those of the table; this one is not.
              EXECUTE format('CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON partitions.%I
                FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()', member || month);
            END IF;
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', member,
              member || month, first_id_of(kind, reached), first_id_of(kind, reached + interval '1 month'));
          END LOOP;
          added := added + 1;
        END LOOP;
        RETURN added;
      END $$`,
    /** What all ids from that time on begin with or come after. */
    `CREATE FUNCTION first_id_of(kind text, moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT kind || '_' || lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') $$`,
  ],
  views: [
    /** The partitions of all tables, with the end of their month; one that is being detached is no longer read. */
    `CREATE VIEW month_partitions AS
      SELECT p.relname::text AS parent, c.relname::text AS name, i.inhdetachpending AS is_detaching,
        to_timestamp(('x' || substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''[a-z]{3}_([0-9a-f]{12})'))::bit(48)::bigint / 1000.0)
          AS ends_at
      FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid
      WHERE p.relkind = 'p' AND p.relnamespace = 'public'::regnamespace`,
  ],
};
