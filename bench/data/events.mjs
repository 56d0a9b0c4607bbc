import { eventData } from '../../dist/platform/database/views/event-view.js';
import { rowsAsJson } from '../../dist/platform/database/views/view.js';

/** Inserts the event `<kind>.created` for every row that a user created, with the data that the service records. */
export function eventsSql(view, creator) {
  const { from } = rowsAsJson(view);
  const seen = `SELECT ${view.alias}.id, ${eventData(view)} AS data, ${view.alias}.created_at, ${creator} AS creator_id FROM ${from}`;
  return `
    INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, actor_id, request_id,
      occurred_at, data)
    SELECT 'evt_' || substr(x.id, 5), '${view.kind}.created', x.kind, x.id, x.endeavour_id, x.organization_id, actor.id,
      gen_random_uuid(), seen.created_at, seen.data
    FROM (${seen.replaceAll('$1::text', 'NULL::text')}) seen
    JOIN entities x USING (id) JOIN resources actor ON actor.id = seen.creator_id`;
}
