import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** What adds up the time of a task. */
export const TIME_ENTRY_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Adds what an entry adds or takes to its task, whose row writers wait for, so that the sum is exact. It is a new
     * revision of the task by who writes the entry. Only open tasks take time, except from an import, which tells what was
     * and records the new revision itself, as its undo does.
     */
    `CREATE FUNCTION add_logged_time() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        entry time_entries;
        difference integer := 0;
        imports boolean := coalesce(current_setting('worksmith.importing', true) = 'on', false);
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          entry := OLD;
          IF OLD.deleted_at IS NULL THEN difference := -OLD.minutes; END IF;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          entry := NEW;
          IF NEW.deleted_at IS NULL THEN difference := difference + NEW.minutes; END IF;
        END IF;
        IF difference = 0 THEN RETURN NULL; END IF;
        UPDATE tasks t SET
          logged_minutes = nullif(coalesce(t.logged_minutes, 0) + difference, 0),
          actual = round(nullif(coalesce(t.logged_minutes, 0) + difference, 0) / 60.0, 4),
          updated_by = coalesce(entry.updated_by, entry.created_by),
          updated_at = clock_timestamp(),
          revision = t.revision + CASE WHEN imports OR TG_OP = 'DELETE' THEN 0 ELSE 1 END
        WHERE t.id = entry.task_id AND (TG_OP = 'DELETE' OR imports OR t.status IN ('planned', 'active'));
        IF NOT FOUND AND TG_OP <> 'DELETE' THEN
          RAISE EXCEPTION 'the task takes no time' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'time_entries_task_id_check';
        END IF;
        RETURN NULL;
      END $$`,
  ],
  views: [
    /** What other features see of the time that was spent. */
    `CREATE VIEW logged_time AS SELECT task_id, endeavour_id, resource_id, day, minutes FROM time_entries
      WHERE deleted_at IS NULL`,
  ],
  triggers: [
    `CREATE TRIGGER time_entries_add_logged_time AFTER INSERT OR DELETE OR UPDATE OF minutes, deleted_at ON time_entries
      FOR EACH ROW EXECUTE FUNCTION add_logged_time()`,
  ],
};
