import { needsRole, signedIn, type Permission } from './permission.js';

/** Who can call the operations on demands, tasks, artifacts and imports, and the lists that span them. */
export const WORK_PERMISSIONS = {
  demands_list: signedIn(),
  demands_create: needsRole('member'),
  demands_get: needsRole('viewer'),
  demands_update: needsRole(
    'member',
    'To cancel or fulfil a demand, you need the `admin` role or must be its creator or owner.',
  ),
  demands_by_external_put: needsRole('member', 'Changes have the requirements of PATCH.'),

  tasks_list: signedIn(),
  tasks_summary_get: signedIn(),
  tasks_create: needsRole('member'),
  tasks_get: needsRole('viewer'),
  tasks_update: needsRole(
    'member',
    'To cancel a task, you need the `admin` role, or must be its creator, its owner, or an assignee who was ' +
      'assigned by another person.',
  ),
  tasks_bulk: needsRole(
    'member',
    'Each task has the requirements of PATCH; tasks that you cannot change are reported in the response.',
  ),
  tasks_by_external_put: needsRole('member', 'Changes have the requirements of PATCH.'),
  tasks_claim: needsRole('member', 'You must be a member who can be assigned work there.'),
  tasks_transitions_list: needsRole('viewer'),
  tasks_dependencies_get: needsRole('viewer'),
  tasks_diff_get: needsRole('viewer'),
  tasks_review_requests_create: needsRole('member', 'The reviewers must be able to give a verdict in the endeavour.'),

  work_list: signedIn(),

  search_list: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),

  notifications_list: signedIn(),
  notifications_get: signedIn('Only the user who is notified can call this operation.'),
  notifications_update: signedIn('Only the user who is notified can call this operation.'),
  notifications_read: signedIn(),

  artifacts_list: signedIn(),
  artifacts_create: needsRole('member'),
  artifacts_get: needsRole('viewer'),
  artifacts_update: needsRole('member'),

  imports_create: needsRole('admin', 'Only owners of an organization can import an export into it.'),
  imports_get: signedIn(
    'Visible to the user who started the import, to admins of the endeavour or organization, and to administrators.',
  ),

  imports_undo: needsRole('admin', 'The import must be visible to you.'),

  artifacts_by_external_put: needsRole('member'),
  artifacts_delete: needsRole('member'),
} satisfies Record<string, Permission>;
