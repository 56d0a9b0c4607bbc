import { visible } from '../../../access/visibility/visibility.js';
import type { ListDefinition, Statement } from '../../../platform/listing/definition.js';
import { ANY_KIND, idFilter, resourceFilter, wordFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { alertView } from './alert.view.js';

/** The alerts of one organization; the route checks the role. An alert is only listed while its entity is visible. */
export const alertList: ListDefinition = {
  view: alertView,
  joins: 'JOIN entities x ON x.id = a.entity_id',
  scope: ({ me }) => visible('x', me),
  filters: {
    entity_type: wordFilter('a.entity_type', 'Alerts in entities of this type.'),
    entity_id: idFilter('a.entity_id', ANY_KIND, 'Alerts in this entity.'),
    author_id: resourceFilter('a.author_id', 'Alerts about texts of this resource.'),
    ...rangeFilters({ created: 'a.created_at' }),
  },
  sorts: {
    created_at: { sql: 'a.created_at', type: 'timestamptz' },
    weight: { sql: 'a.weight::integer', type: 'integer' },
  },
};

/** The list of one organization's alerts. */
export const alertsOf = (organizationId: string): ListDefinition => ({
  ...alertList,
  baseCondition: ({ bind }: Statement) => `x.deleted_at IS NULL AND a.organization_id = ${bind(organizationId)}`,
});
