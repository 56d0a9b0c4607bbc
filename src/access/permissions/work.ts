import { forManagersTokens, roleInEndeavour, roleInContainer, signedIn, type Permission } from './permission.js';

/** Who can call the operations on demands, tasks, artifacts and imports, and the lists that span them. */
export const WORK_PERMISSIONS = {
  demands_list: signedIn('demands:read'),
  demands_create: roleInEndeavour('member', 'demands:write'),
  demands_get: roleInEndeavour('viewer', 'demands:read'),
  demands_update: roleInEndeavour(
    'member',
    'demands:write',
    'To cancel or fulfil a demand, you need the `admin` role or must be its creator or owner.',
  ),
  demands_rank_set: roleInEndeavour('member', 'demands:write'),
  demands_move: roleInEndeavour(
    'admin',
    ['demands:write', 'tasks:write'],
    'You need the `member` role in the other endeavour, and the `admin` role in the home organization that the demand leaves.',
  ),
  demands_by_external_put: roleInEndeavour('member', 'demands:write', 'Changes have the requirements of PATCH.'),

  tasks_list: signedIn('tasks:read'),
  tasks_summary_get: signedIn('tasks:read'),
  tasks_create: roleInEndeavour('member', 'tasks:write'),
  tasks_get: roleInEndeavour('viewer', 'tasks:read'),
  tasks_update: roleInEndeavour(
    'member',
    'tasks:write',
    'To cancel a task, you need the `admin` role, or must be its creator, its owner, or an assignee who was ' +
      'assigned by another person.',
  ),
  tasks_rank_set: roleInEndeavour('member', 'tasks:write'),
  tasks_checklist_update: roleInEndeavour('member', 'tasks:write'),
  tasks_bulk: roleInEndeavour(
    'member',
    'tasks:write',
    'Each task has the requirements of PATCH; tasks that you cannot change are reported in the response.',
  ),
  tasks_by_external_put: roleInEndeavour('member', 'tasks:write', 'Changes have the requirements of PATCH.'),
  tasks_claim: roleInEndeavour('member', 'tasks:write', 'You must be a member who can be assigned work there.'),
  tasks_transitions_list: roleInEndeavour('viewer', 'tasks:read'),
  tasks_dependencies_get: roleInEndeavour('viewer', 'tasks:read'),
  tasks_diff_get: roleInEndeavour('viewer', 'tasks:read'),
  tasks_review_requests_create: roleInEndeavour(
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
  artifacts_create: roleInEndeavour('member', 'artifacts:write'),
  artifacts_get: roleInEndeavour('viewer', 'artifacts:read'),
  artifacts_update: roleInEndeavour('member', 'artifacts:write'),
  artifacts_upload: roleInEndeavour('member', 'artifacts:write'),
  artifacts_upload_complete: roleInEndeavour('member', 'artifacts:write'),
  artifacts_file_get: roleInEndeavour('viewer', 'artifacts:read'),

  imports_create: roleInContainer('admin', '*', 'Only owners of an organization can import an export into it.'),
  imports_get: signedIn(
    '*:read',
    'Visible to the user who started the import, to admins of the endeavour or organization, and to administrators.',
  ),

  imports_undo: roleInContainer('admin', '*', 'The import must be visible to you.'),

  artifacts_by_external_put: roleInEndeavour('member', 'artifacts:write'),
  artifacts_delete: roleInEndeavour('member', 'artifacts:write'),
} satisfies Record<string, Permission>;
