import { isDirectedBy } from '../../access/memberships/agents.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { idFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { agentView } from './agent.view.js';

/** Lists the agents that a user manages, and the agents of organizations where the user is admin. */
export const agentList: ListDefinition = {
  view: agentView,
  scope: ({ me }) => isDirectedBy('u', me),
  baseCondition: 'u.agent_of IS NOT NULL AND u.erased_at IS NULL',
  filters: {
    organization_id: idFilter('u.agent_of', 'organization', 'Agents of this organization.'),
    manager_id: idFilter('u.manager_id', 'user', 'Agents that this user manages.'),
    ...rangeFilters({ created: 'u.created_at', updated: 'u.updated_at' }),
  },
  sorts: {
    name: textSort('u.name'),
    created_at: { sql: 'u.created_at', type: 'timestamptz' },
  },
  search: { where: containsText(['u.name']) },
};
