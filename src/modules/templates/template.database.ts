import type { DatabaseObjects } from '../../platform/database/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search-words.database.js';

/** Templates are found by their words. */
export const TEMPLATE_OBJECTS: DatabaseObjects = {
  functions: [wordsFunction('templates', 'NEW.name', 'NEW.body')],
  triggers: [wordsTrigger('templates', 'name, body')],
};
