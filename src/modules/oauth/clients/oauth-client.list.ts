import type { ListDefinition } from '../../../platform/listing/definition.js';
import { oneOfFilter } from '../../../platform/listing/filters.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { REGISTRARS } from './oauth-client.entity.js';
import { oauthClientView } from './oauth-client.view.js';

/** The registered programs, for administrators. They have no owner, so that the list is empty with `mine`. */
export const oauthClientList: ListDefinition = {
  view: oauthClientView,
  scope: () => 'false',
  baseCondition: 'oc.deleted_at IS NULL',
  filters: {
    registered_by: oneOfFilter('oc.registered_by', REGISTRARS),
    ...rangeFilters({ created: 'oc.created_at', updated: 'oc.updated_at' }),
  },
  sorts: {
    name: textSort('oc.name'),
    created_at: { sql: 'oc.created_at', type: 'timestamptz' },
    updated_at: { sql: 'oc.updated_at', type: 'timestamptz' },
  },
};
