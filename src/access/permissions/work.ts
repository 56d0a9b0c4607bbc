import { forManagersTokens, needsRole, signedIn, type Permission } from './permission.js';

/** Who can call the operations on demands, tasks, artifacts and imports, and the lists that span them. */
export const WORK_PERMISSIONS = {
  demands_list: signedIn('demands:read'),
  demands_create: needsRole('member', 'demands:write'),
  demands_get: needsRole('viewer', 'demands:read'),
  demands_update: needsRole(
    'member',
    'demands:write',
    'To cancel or fulfil a demand, you need the `admin` role or must be its creator or owner.',
  ),
  demands_by_external_put: needsRole('member', 'demands:write', 'Changes have the requirements of PATCH.'),

  tasks_list: signedIn('tasks:read'),
  tasks_summary_get: signedIn('tasks:read'),
  tasks_create: needsRole('member', 'tasks:write'),
  tasks_get: needsRole('viewer', 'tasks:read'),
  tasks_update: needsRole(
    'member',
    'tasks:write',
    'To cancel a task, you need the `admin` role, or must be its creator, its owner, or an assignee who was ' +
      'assigned by another person.',
  ),
  tasks_bulk: needsRole(
    'member',
    'tasks:write',
    'Each task has the requirements of PATCH; tasks that you cannot change are reported in the response.',
  ),
  tasks_by_external_put: needsRole('member', 'tasks:write', 'Changes have the requirements of PATCH.'),
  tasks_claim: needsRole('member', 'tasks:write', 'You must be a member who can be assigned work there.'),
  tasks_transitions_list: needsRole('viewer', 'tasks:read'),
  tasks_dependencies_get: needsRole('viewer', 'tasks:read'),
  tasks_diff_get: needsRole('viewer', 'tasks:read'),
  tasks_review_requests_create: needsRole(
    'member',
    'tasks:write',
    'The reviewers must be able to give a verdict in the endeavour.',
  ),

  work_list: signedIn('*:read'),
  calendar_get: signedIn(['endeavours:read', 'tasks:read', 'demands:read']),

  search_list: signedIn('*:read', 'Any signed-in user can call this operation. It returns only what you can see now.'),

  notifications_list: forManagersTokens(signedIn('*:read')),
  notifications_get: forManagersTokens(signedIn('*:read', 'Only the user who is notified can call this operation.')),
  notifications_update: forManagersTokens(signedIn('*', 'Only the user who is notified can call this operation.')),
  notifications_read: forManagersTokens(signedIn('*')),

  artifacts_list: signedIn('artifacts:read'),
  artifacts_create: needsRole('member', 'artifacts:write'),
  artifacts_get: needsRole('viewer', 'artifacts:read'),
  artifacts_update: needsRole('member', 'artifacts:write'),

  imports_create: needsRole('admin', '*', 'Only owners of an organization can import an export into it.'),
  imports_get: signedIn(
    '*:read',
    'Visible to the user who started the import, to admins of the endeavour or organization, and to administrators.',
  ),

  imports_undo: needsRole('admin', '*', 'The import must be visible to you.'),

  artifacts_by_external_put: needsRole('member', 'artifacts:write'),
  artifacts_delete: needsRole('member', 'artifacts:write'),
} satisfies Record<string, Permission>;
