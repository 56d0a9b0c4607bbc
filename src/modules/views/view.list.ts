import { inArchived } from '../../access/visibility/containers.js';
import { placedOf, visible } from '../../access/visibility/visibility.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { flagFilter, idFilter, oneOfFilter, resourceFilter } from '../../platform/listing/filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { LISTED_KINDS } from './listed-kinds.js';
import { viewView } from './view.view.js';

/** Filters, sorts and search of views. */
export const viewList: ListDefinition = {
  view: viewView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = own.id AND ${visible('x', me)})`,
  candidateIds: { ids: (me) => placedOf('view', me), unless: ['endeavour_id', 'organization_id'] },
  isArchived: inArchived({ endeavour: 'own.endeavour_id', organization: 'own.organization_id' }),
  baseCondition: 'own.deleted_at IS NULL',
  filters: {
    kind: oneOfFilter('own.kind', LISTED_KINDS),
    endeavour_id: idFilter('own.endeavour_id', 'endeavour', 'Views of this endeavour.', {
      isUnset: 'own.endeavour_id IS NULL',
    }),
    organization_id: idFilter('own.organization_id', 'organization', 'Views of this organization.', {
      isUnset: 'own.organization_id IS NULL',
    }),
    personal: flagFilter(
      'own.endeavour_id IS NULL AND own.organization_id IS NULL',
      '(own.endeavour_id IS NOT NULL OR own.organization_id IS NOT NULL)',
      'Views that belong to one person alone.',
    ),
    is_default: flagFilter('own.is_default', 'NOT own.is_default', 'Views that clients open first.'),
    created_by: resourceFilter('own.created_by', 'Views that this resource made.'),
    ...rangeFilters({ created: 'own.created_at', updated: 'own.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'own.created_at', type: 'timestamptz' },
    updated_at: { sql: 'own.updated_at', type: 'timestamptz' },
    name: textSort('own.name'),
  },
  search: { where: containsText(['own.name']) },
};
