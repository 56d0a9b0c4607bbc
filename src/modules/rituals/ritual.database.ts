import { contentTrigger } from '../../platform/database/views/approved-content.database.js';
import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { ritualView } from './ritual.view.js';

/** Rituals are due in the time zone of their endeavour. */
export const RITUAL_OBJECTS: DatabaseObjects = {
  functions: [
    /** Rituals without a time zone of their own are planned anew when that of the endeavour changes. */
    `CREATE FUNCTION replan_rituals() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE rituals SET next_run_at = NULL
        WHERE endeavour_id = NEW.id AND next_run_at IS NOT NULL AND NOT schedule ? 'timezone';
        RETURN NULL;
      END $$`,
    wordsFunction(ritualView),
  ],
  triggers: [
    contentTrigger(ritualView),
    `CREATE TRIGGER rituals_keep_task_changes BEFORE UPDATE ON rituals FOR EACH ROW
      WHEN (OLD.task IS DISTINCT FROM NEW.task) EXECUTE FUNCTION keep_content_changes()`,
    `CREATE TRIGGER endeavours_replan_rituals AFTER UPDATE OF timezone ON endeavours FOR EACH ROW
      WHEN (OLD.timezone IS DISTINCT FROM NEW.timezone) EXECUTE FUNCTION replan_rituals()`,
    wordsTrigger(ritualView),
  ],
};
