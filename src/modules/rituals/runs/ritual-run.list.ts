import { placedOf, visible } from '../../../access/visibility/visibility.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { idFilter, oneOfFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { RUN_TRIGGERS, runLifecycle } from '../ritual.lifecycle.js';
import { ritualRunView } from './ritual-run.view.js';

/** Filters and sorts of ritual runs. */
export const ritualRunList: ListDefinition = {
  view: ritualRunView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = n.id AND ${visible('x', me, ['ritual_run'])})`,
  candidateIds: { ids: (me) => placedOf('ritual_run', me), unless: ['ritual_id', 'endeavour_id'] },
  filters: {
    ritual_id: idFilter('n.ritual_id', 'ritual', 'Runs of this ritual.'),
    endeavour_id: idFilter('n.endeavour_id', 'endeavour', 'Runs in this endeavour.'),
    status: oneOfFilter('n.status', runLifecycle.statuses),
    trigger: oneOfFilter('n.trigger', RUN_TRIGGERS),
    ...rangeFilters({ created: 'n.created_at', updated: 'n.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'n.created_at', type: 'timestamptz' },
    updated_at: { sql: 'n.updated_at', type: 'timestamptz' },
    finished_at: { sql: 'n.finished_at', type: 'timestamptz', nullable: true },
  },
};
