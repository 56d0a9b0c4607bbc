import type { Filterable } from '../protocol/scim-conditions.list.js';

/** What groups can be filtered by, over `scim_groups g`. */
export const FILTERABLE_GROUPS: Filterable = {
  columns: {
    id: { sql: 'g.team_id', type: 'exact' },
    displayname: { sql: 'g.display_name', type: 'text' },
    externalid: { sql: 'g.external_id', type: 'exact' },
    'meta.created': { sql: 'g.created_at', type: 'time' },
    'meta.lastmodified': { sql: 'g.updated_at', type: 'time' },
  },
  lists: {
    members: {
      columns: { value: { sql: 'e.user_id', type: 'exact' } },
      exists: (condition) => `EXISTS (SELECT 1 FROM scim_group_members e WHERE e.team_id = g.team_id AND ${condition})`,
    },
  },
  names: 'id, displayName, externalId, members, meta.created and meta.lastModified',
};
