import { agentsManagedBy } from '../../access/memberships/agents.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { tokenView } from './token.view.js';

/**
 * SQL: whether the token `a` belongs to the user or to an agent that the user manages, or was created by the user. What a
 * person grants to a program of others is listed and ended elsewhere ({@link grantList}).
 */
export const isManagedTokenOf = (me: string): string =>
  `a.kind <> 'oauth' AND (a.user_id = ${me} OR a.made_by = ${me} OR a.user_id IN (${agentsManagedBy(me)}))`;

/**
 * The tokens of the caller and their agents, and those that the caller has created for agents of others, also for
 * administrators. Expired tokens are listed until they are deleted.
 */
export const tokenList: ListDefinition = {
  view: tokenView,
  scope: () => 'true',
  baseCondition: ({ me }) => `${isManagedTokenOf(me)} AND a.ended_at IS NULL`,
  filters: {
    user_id: idFilter('a.user_id', 'user', 'Tokens of this user: yourself, or an agent.'),
    ...rangeFilters({ created: 'a.created_at', updated: 'a.updated_at' }),
  },
  sorts: {
    name: textSort('a.name'),
    created_at: { sql: 'a.created_at', type: 'timestamptz' },
    expires_at: { sql: 'a.expires_at', type: 'timestamptz' },
  },
};
