import { roleInEndeavour, signedIn, type Permission } from './permission.js';

/** What actions of rules need when a token makes them. */
const WRITTEN = ['endeavours:write', 'tasks:write', 'demands:write', 'comments:write', 'messages:write'] as const;

/** Who can call the operations on rules. */
export const RULES_PERMISSIONS = {
  rules_list: signedIn('endeavours:read'),
  rules_create: roleInEndeavour('admin', WRITTEN),
  rules_get: roleInEndeavour('viewer', 'endeavours:read'),
  rules_runs_list: roleInEndeavour('admin', 'endeavours:read'),
  rules_dry_run: roleInEndeavour('admin', WRITTEN),
  rules_update: roleInEndeavour('admin', WRITTEN),
  rules_delete: roleInEndeavour('admin', 'endeavours:write'),
} satisfies Record<string, Permission>;
