import { organizationsOf } from '../../access/visibility/visibility.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { flagFilter } from '../../platform/listing/filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { domainView } from './domain.view.js';

/** The domains of one organization; the route checks that it is visible. */
export const domainList: ListDefinition = {
  view: domainView,
  scope: ({ me }) => `dom.organization_id IN (${organizationsOf(me)})`,
  filters: {
    is_proved: flagFilter(
      'dom.proved_at IS NOT NULL',
      'dom.proved_at IS NULL',
      'true for domains that are proved, false for others.',
    ),
    ...rangeFilters({ created: 'dom.created_at', updated: 'dom.updated_at' }),
  },
  sorts: {
    domain: textSort('dom.domain'),
    created_at: { sql: 'dom.created_at', type: 'timestamptz' },
    updated_at: { sql: 'dom.updated_at', type: 'timestamptz' },
  },
};

/** SQL: whether a domain belongs to the organization, and is not deleted. */
export const domainsOf = (organization: string): string =>
  `dom.organization_id = ${organization} AND dom.deleted_at IS NULL`;
