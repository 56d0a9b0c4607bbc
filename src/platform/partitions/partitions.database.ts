import type { DatabaseObjects } from '../database/schema/database-objects.js';

/**
 * Tables with one partition for each month (decision 0075). Ids begin with their time in milliseconds, so that the bound
 * of a month is the beginning of its first id. The partitions are in a schema of their own, to which the role of the
 * service has no rights: it reaches rows only through the table, whatever a default gives it on new tables.
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
        kind text := CASE of_table WHEN 'webhook_deliveries' THEN 'whd' END;
        edge timestamptz := date_trunc('month', now()) + interval '3 months';
        reached timestamptz := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = of_table);
        added integer := 0;
        named text;
        referenced regclass;
      BEGIN
        IF kind IS NULL OR reached IS NULL THEN
          RAISE EXCEPTION '% has no partitions by month', of_table USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF reached >= edge THEN RETURN 0; END IF;
        -- A foreign key of a partition adds a trigger to the table that it refers to.
        FOR referenced IN SELECT DISTINCT c.confrelid::regclass FROM pg_constraint c
          WHERE c.contype = 'f' AND c.conrelid = of_table::regclass
        LOOP
          EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE NOWAIT', referenced);
        END LOOP;
        EXECUTE format('LOCK TABLE %I IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', of_table);
        LOOP
          -- Another replica may have added some before this one had the lock.
          reached := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = of_table);
          EXIT WHEN reached >= edge;
          named := of_table || to_char(reached, '_YYYY_MM');
          EXECUTE format('CREATE TABLE partitions.%I (LIKE %I INCLUDING ALL)', named, of_table);
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', of_table, named,
            first_id_of(kind, reached), first_id_of(kind, reached + interval '1 month'));
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
