import type { ListDefinition } from '../../../platform/listing/definition.js';
import { resourceFilter, wordFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { historyView } from '../event.view.js';
import { readablePlaces } from '../readable-places.view.js';

/** Lists the history of an entity. A token that is restricted to a container cannot read personal events. */
export const historyList = ({ isConfined = false } = {}): ListDefinition => ({
  view: historyView,
  joins: 'JOIN entities x ON x.id = v.entity_id',
  scope: (statement) => `(feed_place(x, v.type, v.actor_id) = ANY(ARRAY(
      SELECT r.place FROM (${readablePlaces(statement.me, { isConfined })}) r))
    OR (v.type = 'message.sent' AND ${statement.myResource()} = ANY(v.audience)))`,
  filters: {
    type: wordFilter('v.type', 'Changes of this type, such as task.status_changed.'),
    actor_id: resourceFilter('v.actor_id', 'Changes by this resource.'),
    ...rangeFilters({ occurred: 'v.occurred_at' }),
  },
  sorts: { occurred_at: { sql: 'v.occurred_at', type: 'timestamptz' } },
  defaultSort: '-occurred_at',
});
