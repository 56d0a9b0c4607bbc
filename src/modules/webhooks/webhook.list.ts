import type { ListDefinition } from '../../platform/listing/definition.js';
import { flagFilter, idFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { webhookView } from './webhook.view.js';

/** SQL: whether the user is an admin of the container of the webhook. */
const managedBy = (me: string): string =>
  `(w.organization_id = ANY(ARRAY(SELECT m.organization_id FROM organization_resources m
      WHERE m.user_id = ${me} AND role_rank(m.role) >= 3))
    OR w.endeavour_id = ANY(ARRAY(SELECT g.endeavour_id FROM endeavour_grants g
      WHERE g.user_id = ${me} AND g.rank >= 3)))`;

export const webhookList: ListDefinition = {
  view: webhookView,
  scope: ({ me }) => managedBy(me),
  baseCondition: 'w.deleted_at IS NULL',
  filters: {
    organization_id: idFilter('w.organization_id', 'organization', 'Webhooks of this organization.', {
      isUnset: 'w.organization_id IS NULL',
    }),
    endeavour_id: idFilter('w.endeavour_id', 'endeavour', 'Webhooks of this endeavour.', {
      isUnset: 'w.endeavour_id IS NULL',
    }),
    is_enabled: flagFilter('w.is_enabled', 'NOT w.is_enabled', 'true for enabled webhooks, false for disabled ones.'),
    ...rangeFilters({ created: 'w.created_at', updated: 'w.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'w.created_at', type: 'timestamptz' },
    updated_at: { sql: 'w.updated_at', type: 'timestamptz' },
  },
};
