import type { Filterable } from '../protocol/scim-conditions.list.js';

/** SQL: whether the person of the record is a member of the organization of the record. */
export const isMember = (record: string): string =>
  `EXISTS (SELECT 1 FROM organization_resources m
     WHERE m.organization_id = ${record}.organization_id AND m.user_id = ${record}.user_id)`;

/** What people can be filtered by, over `scim_users s`. */
export const FILTERABLE_USERS: Filterable = {
  columns: {
    id: { sql: 's.user_id', type: 'exact' },
    username: { sql: 's.user_name', type: 'text' },
    externalid: { sql: 's.external_id', type: 'exact' },
    displayname: { sql: 's.display_name', type: 'text' },
    'name.formatted': { sql: `s.name ->> 'formatted'`, type: 'text' },
    'name.givenname': { sql: `s.name ->> 'givenName'`, type: 'text' },
    'name.familyname': { sql: `s.name ->> 'familyName'`, type: 'text' },
    active: { sql: `(s.active AND ${isMember('s')})`, type: 'boolean' },
    'meta.created': { sql: 's.created_at', type: 'time' },
    'meta.lastmodified': { sql: 's.updated_at', type: 'time' },
  },
  lists: {
    emails: {
      columns: {
        value: { sql: 'e.value', type: 'text' },
        type: { sql: 'e.type', type: 'text' },
        primary: { sql: 'e."primary"', type: 'boolean' },
      },
      exists: (condition) =>
        `EXISTS (SELECT 1 FROM jsonb_to_recordset(s.emails) AS e (value text, type text, "primary" boolean) WHERE ${condition})`,
    },
  },
  names: 'id, userName, externalId, displayName, name, emails, active, meta.created and meta.lastModified',
};
