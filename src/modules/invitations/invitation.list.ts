import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, rangeFilters } from '../../platform/listing/filters.js';
import { invitationView } from './invitation.view.js';

/** Whether the user may invite where the invitation leads to: an admin of its organization or endeavour. */
export const managedBy = (me: string): string =>
  `(i.organization_id = ANY(ARRAY(SELECT m.organization_id FROM organization_resources m
      WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner')))
    OR i.endeavour_id = ANY(ARRAY(SELECT g.endeavour_id FROM endeavour_grants g
      WHERE g.user_id = ${me} AND g.rank >= 3)))`;

/** Those that were withdrawn stay away. */
export const invitationList: ListDefinition = {
  view: invitationView,
  scope: ({ me }) => managedBy(me),
  always: 'i.deleted_at IS NULL',
  filters: {
    organization_id: idFilter('i.organization_id', 'To this organization.'),
    endeavour_id: idFilter('i.endeavour_id', 'To this endeavour.'),
    ...rangeFilters({ created: 'i.created_at', updated: 'i.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'i.created_at', type: 'timestamptz' },
    expires_at: { sql: 'i.expires_at', type: 'timestamptz' },
  },
};
