import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** The history of tasks in stages; tasks without stages have none. */
export const TASK_STAGE_OBJECTS: DatabaseObjects = {
  functions: [
    /** Records when a task enters and leaves a stage. A canceled task has left its stage. */
    `CREATE FUNCTION keep_task_stage() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved timestamptz := clock_timestamp();
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          UPDATE task_stages SET left_at = moved WHERE task_id = NEW.id AND left_at IS NULL;
        END IF;
        IF NEW.stage IS NOT NULL AND NEW.status <> 'canceled' THEN
          INSERT INTO task_stages (task_id, endeavour_id, stage, entered_at)
            VALUES (NEW.id, NEW.endeavour_id, NEW.stage, moved);
        END IF;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER tasks_record_first_stage AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.stage IS NOT NULL) EXECUTE FUNCTION keep_task_stage()`,
    `CREATE TRIGGER tasks_record_stage AFTER UPDATE ON tasks FOR EACH ROW
      WHEN (OLD.stage IS DISTINCT FROM NEW.stage OR (NEW.stage IS NOT NULL AND OLD.status <> NEW.status))
      EXECUTE FUNCTION keep_task_stage()`,
  ],
};
