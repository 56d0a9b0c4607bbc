import type { ListDefinition } from '../../../platform/listing/definition.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { scimTokenView } from './scim-token.view.js';

/** The provisioning tokens of an organization that have not ended; expired ones are listed until they are deleted. */
export const scimTokenList: ListDefinition = {
  view: scimTokenView,
  scope: () => 'true',
  filters: { ...rangeFilters({ created: 'st.created_at', updated: 'st.updated_at' }) },
  sorts: {
    name: textSort('st.name'),
    created_at: { sql: 'st.created_at', type: 'timestamptz' },
    expires_at: { sql: 'st.expires_at', type: 'timestamptz' },
  },
};

/** SQL: whether the token belongs to the organization. */
export const isTokenOf = (organization: string): string =>
  `st.organization_id = ${organization} AND st.ended_at IS NULL`;
