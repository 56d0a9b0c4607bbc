import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { templateView } from './template.view.js';

/** Templates are found by their words. */
export const TEMPLATE_OBJECTS: DatabaseObjects = {
  functions: [wordsFunction(templateView)],
  triggers: [wordsTrigger(templateView)],
};
