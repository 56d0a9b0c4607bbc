import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, oneOfFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { RUN_STATUSES } from './rule-run.rules.js';
import { ruleRunView } from './rule-run.view.js';

/** The runs of one rule; the route checks the role of the caller. */
export const ruleRunList: ListDefinition = {
  view: ruleRunView,
  scope: () => 'true',
  filters: {
    status: oneOfFilter('rn.status', RUN_STATUSES),
    event_type: wordFilter('rn.event_type', 'Runs for events of this type, such as task.updated.'),
    event_id: idFilter('rn.event_id', 'event', 'The run for this event.'),
    ...rangeFilters({ created: 'rn.created_at' }),
  },
  sorts: { created_at: { sql: 'rn.created_at', type: 'timestamptz' } },
};
