import { forOthers, roleInEndeavour, signedIn, type Permission } from './permission.js';

const OWN = 'You need the `admin` role for the time of others.';

/** Who can call the operations on time entries. */
export const TIME_ENTRIES_PERMISSIONS = {
  time_entries_list: signedIn('tasks:read'),
  time_entries_create: forOthers('admin', roleInEndeavour('member', 'tasks:write', OWN)),
  time_entries_get: roleInEndeavour('viewer', 'tasks:read'),
  time_entries_update: forOthers('admin', roleInEndeavour('member', 'tasks:write', OWN)),
  time_entries_delete: forOthers('admin', roleInEndeavour('member', 'tasks:write', OWN)),
} satisfies Record<string, Permission>;
