import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { organizationView } from './organization.view.js';

/** Organizations are found by their words. */
export const ORGANIZATION_OBJECTS: DatabaseObjects = {
  functions: [wordsFunction(organizationView)],
  triggers: [wordsTrigger(organizationView)],
};
