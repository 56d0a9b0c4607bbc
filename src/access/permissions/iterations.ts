import { roleInEndeavour, signedIn, type Permission } from './permission.js';

/** Who can call the operations on iterations. */
export const ITERATIONS_PERMISSIONS = {
  iterations_list: signedIn('endeavours:read'),
  iterations_create: roleInEndeavour('admin', 'endeavours:write'),
  iterations_get: roleInEndeavour('viewer', 'endeavours:read'),
  iterations_update: roleInEndeavour('admin', 'endeavours:write'),
  iterations_delete: roleInEndeavour('admin', 'endeavours:write'),
  iterations_close: roleInEndeavour('admin', ['endeavours:write', 'tasks:write', 'demands:write']),
  iterations_report_get: roleInEndeavour('viewer', ['endeavours:read', 'tasks:read']),
} satisfies Record<string, Permission>;
