import { agentsManagedBy } from '../../access/agents.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, rangeFilters } from '../../platform/listing/filters.js';
import { tokenView } from './token.view.js';

/** SQL: whether the token `a` is the user's own, or of an agent that the user manages. */
export const isOf = (me: string): string => `(a.user_id = ${me} OR a.user_id IN (${agentsManagedBy(me)}))`;

/** The caller's own tokens and those of their agents, for administrators too; those that expired are shown until they are deleted. */
export const tokenList: ListDefinition = {
  view: tokenView,
  scope: () => 'true',
  baseCondition: ({ me }) => `${isOf(me)} AND a.ended_at IS NULL`,
  filters: {
    user_id: idFilter('a.user_id', 'Tokens of this user: yourself, or an agent that you manage.'),
    ...rangeFilters({ created: 'a.created_at', updated: 'a.updated_at' }),
  },
  sorts: {
    name: { sql: 'lower(a.name)', type: 'text' },
    created_at: { sql: 'a.created_at', type: 'timestamptz' },
    expires_at: { sql: 'a.expires_at', type: 'timestamptz' },
  },
};
