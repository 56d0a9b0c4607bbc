import type { DatabaseObjects } from '../../platform/database/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search-words.database.js';

/** Organizations are found by their words. */
export const ORGANIZATION_OBJECTS: DatabaseObjects = {
  functions: [wordsFunction('organizations', 'NEW.name', 'NEW.description')],
  triggers: [wordsTrigger('organizations', 'name, description')],
};
