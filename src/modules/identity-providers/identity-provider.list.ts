import type { ListDefinition } from '../../platform/listing/definition.js';
import { flagFilter, idFilter } from '../../platform/listing/filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { identityProviderView } from './identity-provider.view.js';

export const identityProviderList: ListDefinition = {
  view: identityProviderView,
  scope: ({ me }) => `idp.organization_id = ANY(ARRAY(SELECT m.organization_id FROM organization_resources m
    WHERE m.user_id = ${me} AND m.role = 'owner'))`,
  baseCondition: 'idp.deleted_at IS NULL',
  filters: {
    organization_id: idFilter('idp.organization_id', 'organization', 'Providers of this organization.', {
      isUnset: 'idp.organization_id IS NULL',
    }),
    is_enabled: flagFilter(
      'idp.is_enabled',
      'NOT idp.is_enabled',
      'true for enabled providers, false for disabled ones.',
    ),
    ...rangeFilters({ created: 'idp.created_at', updated: 'idp.updated_at' }),
  },
  sorts: {
    name: textSort('idp.name'),
    created_at: { sql: 'idp.created_at', type: 'timestamptz' },
    updated_at: { sql: 'idp.updated_at', type: 'timestamptz' },
  },
};
