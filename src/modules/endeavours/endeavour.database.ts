import { contentTrigger } from '../../platform/database/views/approved-content.database.js';
import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { endeavourView } from './endeavour.view.js';

/** Days of an endeavour are days in its time zone; unarchiving stops an erasure. */
export const ENDEAVOUR_OBJECTS: DatabaseObjects = {
  functions: [
    /** Dates that are days begin and end with this day in the time zone of the endeavour (spec/01, Time). */
    `CREATE FUNCTION derive_endeavour_dates() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         zone text := NEW.timezone;
       BEGIN

         IF NEW.start_day IS NOT NULL THEN
        IF TG_OP = 'UPDATE' AND NEW.start_day = OLD.start_day AND NEW.start_date IS DISTINCT FROM OLD.start_date THEN
          NEW.start_day := day_beginning_at(NEW.start_date, zone);
        ELSE
          NEW.start_date := first_instant_of(NEW.start_day, zone);
        END IF;
          END IF;
          IF NEW.end_day IS NOT NULL THEN
        IF TG_OP = 'UPDATE' AND NEW.end_day = OLD.end_day AND NEW.end_date IS DISTINCT FROM OLD.end_date THEN
          NEW.end_day := day_ending_at(NEW.end_date, zone);
        ELSE
          NEW.end_date := last_second_of(NEW.end_day, zone);
        END IF;
          END IF;
         IF TG_OP = 'INSERT' THEN
           NEW.derived_timezone := NEW.timezone;
         END IF;
         RETURN NEW;
       END $$`,
    /** What is no longer archived is not erased. */
    `CREATE FUNCTION stop_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.erasure_at := NULL;
        RETURN NEW;
      END $$`,
    wordsFunction(endeavourView),
  ],
  triggers: [
    contentTrigger(endeavourView, { parts: { goals: (row) => `jsonb_path_query_array(${row}.goals, '$[*].title')` } }),
    `CREATE TRIGGER endeavours_derive_dates BEFORE UPDATE ON endeavours FOR EACH ROW
      WHEN ((NEW.start_day IS NOT NULL OR NEW.end_day IS NOT NULL)
        AND (NEW.start_day IS DISTINCT FROM OLD.start_day OR NEW.start_date IS DISTINCT FROM OLD.start_date
          OR NEW.end_day IS DISTINCT FROM OLD.end_day OR NEW.end_date IS DISTINCT FROM OLD.end_date
          OR NEW.timezone IS DISTINCT FROM OLD.timezone))
      EXECUTE FUNCTION derive_endeavour_dates()`,
    `CREATE TRIGGER endeavours_derive_new_dates BEFORE INSERT ON endeavours FOR EACH ROW
      EXECUTE FUNCTION derive_endeavour_dates()`,
    wordsTrigger(endeavourView),
    `CREATE TRIGGER endeavours_stop_erasure BEFORE UPDATE OF status ON endeavours FOR EACH ROW
      WHEN (NEW.erasure_at IS NOT NULL AND NEW.status <> 'archived') EXECUTE FUNCTION stop_erasure()`,
    `CREATE TRIGGER organizations_stop_erasure BEFORE UPDATE OF status ON organizations FOR EACH ROW
      WHEN (NEW.erasure_at IS NOT NULL AND NEW.status <> 'archived') EXECUTE FUNCTION stop_erasure()`,
  ],
};
