import type { DatabaseObjects } from '../../platform/database/database-objects.js';

/** Templates are found by their words. */
export const TEMPLATE_OBJECTS: DatabaseObjects = {
  functions: [
    /** Stores the words by which the search finds it. */
    `CREATE FUNCTION keep_templates_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.words := public.search_words(NEW.name, NEW.body);
        RETURN NEW;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER templates_keep_words BEFORE INSERT OR UPDATE OF name, body
      ON templates FOR EACH ROW EXECUTE FUNCTION keep_templates_words()`,
  ],
};
