import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** The database objects of watches. */
export const WATCH_OBJECTS: DatabaseObjects = {
  functions: [],
  views: [
    /** The watches that are on, with their start. */
    `CREATE VIEW current_watches AS SELECT entity_id, resource_id, created_at FROM watches WHERE is_on`,
  ],
  triggers: [],
};
