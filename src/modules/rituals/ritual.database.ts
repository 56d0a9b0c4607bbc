import type { DatabaseObjects } from '../../platform/database/database-objects.js';

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
    /** Stores the words by which the search finds it. */
    `CREATE FUNCTION keep_rituals_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.words := public.search_words(NEW.name, NEW.description);
        RETURN NEW;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER endeavours_replan_rituals AFTER UPDATE OF timezone ON endeavours FOR EACH ROW
      WHEN (OLD.timezone IS DISTINCT FROM NEW.timezone) EXECUTE FUNCTION replan_rituals()`,
    `CREATE TRIGGER rituals_keep_words BEFORE INSERT OR UPDATE OF name, description
      ON rituals FOR EACH ROW EXECUTE FUNCTION keep_rituals_words()`,
  ],
};
