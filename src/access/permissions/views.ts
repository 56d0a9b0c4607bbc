import { roleInContainer, signedIn, type Permission } from './permission.js';

const LISTED = ['tasks:read', 'demands:read'] as const;
const NOTE = 'Views without a container are for the person who made them.';

/** Who can call the operations on views. */
export const VIEWS_PERMISSIONS = {
  views_list: signedIn(LISTED),
  views_create: roleInContainer('member', ['tasks:write', 'demands:write'], NOTE),
  views_get: signedIn(LISTED, 'The view must be visible to you.'),
  views_count_get: signedIn(LISTED, 'The view must be visible to you.'),
  views_update: roleInContainer('member', ['tasks:write', 'demands:write'], NOTE),
  views_delete: roleInContainer('member', ['tasks:write', 'demands:write'], NOTE),
} satisfies Record<string, Permission>;
