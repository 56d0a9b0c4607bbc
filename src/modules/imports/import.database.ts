import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** What other features see of imports. */
export const IMPORT_OBJECTS: DatabaseObjects = {
  views: [
    /** The request and the span of time of each import. */
    `CREATE VIEW import_requests AS
      SELECT i.endeavour_id, coalesce(op.request_id, op.id) AS request_id, op.created_by AS actor_id, op.created_at,
        op.finished_at
      FROM imports i JOIN operations op ON op.id = i.operation_id`,
  ],
};
