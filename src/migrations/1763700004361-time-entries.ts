import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Time entries, which add up to the hours of their tasks. */
export class TimeEntries1763700004361 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE time_entries (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        task_id text NOT NULL,
        endeavour_id text NOT NULL,
        resource_id text NOT NULL,
        minutes integer NOT NULL,
        day date NOT NULL,
        note text,
        is_initial boolean NOT NULL DEFAULT false,
        created_by text NOT NULL,
        deleted_at timestamptz(3),
        updated_by text,
        CONSTRAINT time_entries_minutes_check
          CHECK (minutes >= 1 AND minutes <= CASE WHEN is_initial THEN 100000000 ELSE 1440 END),
        CONSTRAINT time_entries_day_check CHECK (day BETWEEN '1970-01-01' AND '9999-12-31'),
        CONSTRAINT time_entries_note_check CHECK (char_length(note) <= 50000),
        CONSTRAINT time_entries_pkey PRIMARY KEY (id),
        CONSTRAINT time_entries_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT time_entries_task_id_endeavour_id_fkey FOREIGN KEY (task_id, endeavour_id)
          REFERENCES tasks(id, endeavour_id) ON UPDATE CASCADE,
        CONSTRAINT time_entries_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id),
        CONSTRAINT time_entries_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id),
        CONSTRAINT time_entries_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)
      )`,
      `CREATE INDEX time_entries_endeavour_id_created_at_id_idx ON time_entries (endeavour_id, created_at, id)`,
      `CREATE INDEX time_entries_endeavour_id_day_idx ON time_entries (endeavour_id, day)`,
      `CREATE INDEX time_entries_task_id_created_at_id_idx ON time_entries (task_id, created_at, id)`,
      `CREATE INDEX time_entries_resource_id_day_idx ON time_entries (resource_id, day)`,
      `CREATE INDEX time_entries_created_at_id_idx ON time_entries (created_at, id)`,
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
      `CREATE TRIGGER time_entries_add_logged_time AFTER INSERT OR DELETE OR UPDATE OF minutes, deleted_at ON time_entries
      FOR EACH ROW EXECUTE FUNCTION add_logged_time()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE time_entries`);
    await runner.query(`DROP FUNCTION add_logged_time()`);
    await runner.query(`UPDATE tasks SET logged_minutes = NULL WHERE logged_minutes IS NOT NULL`);
    await runner.query(`DELETE FROM events WHERE entity_type = 'time_entry'`);
    await runner.query(`DELETE FROM entities WHERE kind = 'time_entry'`);
  }
}
