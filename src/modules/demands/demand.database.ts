import { contentTrigger } from '../../platform/database/views/approved-content.database.js';
import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { demandView } from './demand.view.js';

/** The words of demands and of tasks come from their labels and external ids, too. */
export const WORDS_OF_WORK = {
  name: 'keep_words',
  columns: ['external_ref', 'labels'],
  texts: [
    `NEW.external_ref ->> 'id'`,
    `CASE WHEN NEW.labels IS NOT NULL THEN array_to_string(public.label_names(NEW.labels), ' ') END`,
  ],
};

/** What demands and tasks have in common. */
export const DEMAND_OBJECTS: DatabaseObjects = {
  functions: [
    /** A due date that is a day is the last second of this day in the time zone of the endeavour (spec/01, Time). */
    `CREATE FUNCTION derive_due_date() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        zone text := (SELECT e.timezone FROM endeavours e WHERE e.id = NEW.endeavour_id);
      BEGIN
        IF NEW.due_day IS NOT NULL THEN
          IF TG_OP = 'UPDATE' AND NEW.due_day = OLD.due_day AND NEW.due_date IS DISTINCT FROM OLD.due_date THEN
            NEW.due_day := day_ending_at(NEW.due_date, zone);
          ELSE
            NEW.due_date := last_second_of(NEW.due_day, zone);
          END IF;
        END IF;
        RETURN NEW;
      END $$`,
    /** Stores the words by which the search finds a demand or a task. */
    wordsFunction(demandView, WORDS_OF_WORK),
  ],
  views: [
    /** What other features see of demands. */
    `CREATE VIEW demand_states AS SELECT id, endeavour_id, status FROM demands`,
  ],
  triggers: [
    contentTrigger(demandView),
    `CREATE TRIGGER demands_derive_dates BEFORE UPDATE ON demands FOR EACH ROW
      WHEN (NEW.due_day IS NOT NULL AND (NEW.due_day IS DISTINCT FROM OLD.due_day OR NEW.due_date IS DISTINCT
        FROM OLD.due_date OR NEW.endeavour_id IS DISTINCT FROM OLD.endeavour_id))
      EXECUTE FUNCTION derive_due_date()`,
    `CREATE TRIGGER demands_derive_new_dates BEFORE INSERT ON demands FOR EACH ROW
      WHEN (NEW.due_day IS NOT NULL) EXECUTE FUNCTION derive_due_date()`,
    wordsTrigger(demandView, WORDS_OF_WORK),
    `CREATE TRIGGER tasks_derive_dates BEFORE UPDATE OF due_day, due_date, endeavour_id ON tasks FOR EACH ROW
      WHEN (NEW.due_day IS NOT NULL AND (NEW.due_day IS DISTINCT FROM OLD.due_day OR NEW.due_date IS DISTINCT
        FROM OLD.due_date OR NEW.endeavour_id IS DISTINCT FROM OLD.endeavour_id))
      EXECUTE FUNCTION derive_due_date()`,
    `CREATE TRIGGER tasks_derive_new_dates BEFORE INSERT ON tasks FOR EACH ROW
      WHEN (NEW.due_day IS NOT NULL) EXECUTE FUNCTION derive_due_date()`,
  ],
};
