import { ENDEAVOUR_ROLES } from '../../../common/roles.js';
import type { ListDefinition } from '../../../platform/listing/definition.js';
import { containsText } from '../../../platform/listing/search/contained-text.js';
import { flagFilter, oneOfFilter } from '../../../platform/listing/filters.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { endeavourMemberJoins, endeavourMemberView } from './endeavour-member.view.js';

const role = `(ARRAY['${ENDEAVOUR_ROLES.join("', '")}'])[m.rank]`;

/** Lists the members of an endeavour; the service checks the visibility of the endeavour. */
export const endeavourMemberList: ListDefinition = {
  view: endeavourMemberView,
  joins: endeavourMemberJoins,
  scope: () => 'true',
  filters: {
    role: oneOfFilter(role, ENDEAVOUR_ROLES),
    direct: flagFilter(
      'm.direct',
      'NOT m.direct',
      'Whether the member has a direct membership in addition to roles derived from organizations.',
    ),
  },
  sorts: {
    joined_at: { sql: 'since.joined_at', type: 'timestamptz' },
    name: textSort('u.name'),
  },
  defaultSort: 'joined_at',
  search: { where: containsText(['u.name']) },
};

/** SQL: whether the member is in the endeavour; `endeavour` is a placeholder. */
export const membersOfEndeavour = (endeavour: string): string => `m.endeavour_id = ${endeavour}`;
