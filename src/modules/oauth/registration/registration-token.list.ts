import type { ListDefinition } from '../../../platform/listing/definition.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { registrationTokenView } from './registration-token.view.js';

/** The registration tokens that have not ended, for administrators; expired ones are listed until they are deleted. */
export const registrationTokenList: ListDefinition = {
  view: registrationTokenView,
  scope: () => 'false',
  baseCondition: 'rt.ended_at IS NULL',
  filters: { ...rangeFilters({ created: 'rt.created_at', updated: 'rt.updated_at' }) },
  sorts: {
    name: textSort('rt.name'),
    created_at: { sql: 'rt.created_at', type: 'timestamptz' },
    expires_at: { sql: 'rt.expires_at', type: 'timestamptz' },
  },
};
