import type { ListDefinition } from '../../../platform/listing/definition.js';
import { containsText } from '../../../platform/listing/search/contained-text.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { teamMemberView } from './team-member.view.js';

/** The members of one team; the route checks that the caller can see the team. */
export const teamMemberList: ListDefinition = {
  view: teamMemberView,
  joins: 'JOIN resources r ON r.id = m.id',
  scope: () => 'true',
  filters: {},
  sorts: {
    joined_at: { sql: 'm.joined_at', type: 'timestamptz' },
    name: textSort('r.name'),
  },
  defaultSort: 'joined_at',
  search: { where: containsText(['r.name']) },
};

/** SQL: the rows of the team; `team` is a placeholder. */
export const isMemberOfTeam = (team: string): string => `m.team_id = ${team}`;
