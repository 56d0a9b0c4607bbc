import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** Where rules begin. */
export const RULE_OBJECTS: DatabaseObjects = {
  functions: [
    /** The last sequence of the feed, after which a new rule begins. */
    `CREATE FUNCTION feed_head() RETURNS bigint LANGUAGE sql STABLE SET search_path = public AS $$
      SELECT head FROM feed_state $$`,
  ],
  triggers: [],
};
