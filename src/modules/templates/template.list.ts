import { placedOf, visible } from '../../access/visibility/visibility.js';
import { languageFilter } from '../../access/visibility/lineage.js';
import { ORIGINS } from '../../platform/database/views/lineage.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { idFilter, oneOfFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { TEMPLATE_CONTAINERS, TEMPLATE_SCOPES, templateLifecycle } from './template.lifecycle.js';
import { templateView } from './template.view.js';

/** Filters, sorts and search of templates, including built-in ones. */
export const templateList: ListDefinition = {
  view: templateView,
  scope: ({ me }) => `EXISTS (SELECT 1 FROM entities x WHERE x.id = p.id AND ${visible('x', me, ['template'])})`,
  candidateIds: { ids: (me) => placedOf('template', me), unless: ['organization_id'] },
  filters: {
    scope: oneOfFilter('p.scope', TEMPLATE_SCOPES),
    type: wordFilter('p.type', 'Templates of this type, such as report.'),
    lang: languageFilter('templates', 'p'),
    status: oneOfFilter('p.status', templateLifecycle.statuses),
    origin: oneOfFilter('p.origin', ORIGINS),
    container: oneOfFilter('p.container', TEMPLATE_CONTAINERS),
    organization_id: idFilter('p.organization_id', 'organization', 'Templates of this organization.', {
      isUnset: 'p.organization_id IS NULL',
    }),
    ...rangeFilters({ created: 'p.created_at', updated: 'p.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'p.created_at', type: 'timestamptz' },
    updated_at: { sql: 'p.updated_at', type: 'timestamptz' },
    name: textSort('p.name'),
    version: { sql: 'p.version', type: 'integer' },
  },
  search: { where: containsText(searchedIn(templateView)) },
};
