import type { DatabaseObjects } from '../../platform/database/database-objects.js';

/** Who watches what. */
export const WATCH_OBJECTS: DatabaseObjects = {
  functions: [],
  views: [
    /** Who watches which tasks, demands and endeavours now, and since when. */
    `CREATE VIEW current_watches AS SELECT entity_id, resource_id, created_at FROM watches WHERE is_on`,
  ],
  triggers: [],
};
