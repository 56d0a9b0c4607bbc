import { roleInEndeavour, type Permission } from './permission.js';

/** Who can call the operations on what people watch. */
export const WATCHES_PERMISSIONS = {
  tasks_watch_put: roleInEndeavour('viewer', 'tasks:write'),
  tasks_watch_remove: roleInEndeavour('viewer', 'tasks:write'),
  demands_watch_put: roleInEndeavour('viewer', 'demands:write'),
  demands_watch_remove: roleInEndeavour('viewer', 'demands:write'),
  endeavours_watch_put: roleInEndeavour('viewer', 'endeavours:write'),
  endeavours_watch_remove: roleInEndeavour('viewer', 'endeavours:write'),
} satisfies Record<string, Permission>;
