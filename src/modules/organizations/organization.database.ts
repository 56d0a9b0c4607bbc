import type { DatabaseObjects } from '../../platform/database/database-objects.js';

/** Organizations are found by their words. */
export const ORGANIZATION_OBJECTS: DatabaseObjects = {
  functions: [
    /** Stores the words by which the search finds it. */
    `CREATE FUNCTION keep_organizations_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.words := public.search_words(NEW.name, NEW.description);
        RETURN NEW;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER organizations_keep_words BEFORE INSERT OR UPDATE OF name, description
      ON organizations FOR EACH ROW EXECUTE FUNCTION keep_organizations_words()`,
  ],
};
