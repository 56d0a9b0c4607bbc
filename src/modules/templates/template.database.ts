import type { DatabaseObjects } from '../../platform/database/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search-words.database.js';
import { templateView } from './template.view.js';

/** Templates are found by their words. */
export const TEMPLATE_OBJECTS: DatabaseObjects = {
  functions: [wordsFunction(templateView)],
  triggers: [wordsTrigger(templateView)],
};
