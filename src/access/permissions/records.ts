import { forManagersTokens, roleInContainer, onSecondEntity, signedIn, type Permission } from './permission.js';

const OPERATION_OWNERS =
  'Only the user who started the operation, admins of the container and administrators can call this.';
const VISIBLE_CHANGES_ONLY = 'Any signed-in user can call this operation. It returns only what you can see now.';

/** Who can call the operations on long-running operations, batches, the feed, the audit log and webhooks. */
export const RECORD_PERMISSIONS = {
  operations_list: signedIn('*:read'),
  operations_get: signedIn('*:read', OPERATION_OWNERS),
  operations_cancel: signedIn('*', OPERATION_OWNERS),

  batch_run: signedIn(
    'any',
    'Any signed-in user can call this operation. Each request in the batch has the requirements of its own operation.',
  ),

  changes_list: signedIn('*:read', VISIBLE_CHANGES_ONLY),
  changes_stream_get: signedIn('*:read', VISIBLE_CHANGES_ONLY),

  activity_list: signedIn('*:read', VISIBLE_CHANGES_ONLY),
  activity_summary_list: signedIn(
    '*:read',
    'Any signed-in user can call this operation. It counts only what you can see now.',
  ),
  approvals_changes_list: signedIn('approvals:read', 'The entity must be visible to you.'),
  artifacts_changes_list: signedIn('artifacts:read', 'The entity must be visible to you.'),
  comments_changes_list: signedIn('comments:read', 'The entity must be visible to you.'),
  demands_changes_list: signedIn('demands:read', 'The entity must be visible to you.'),
  dod_checks_changes_list: signedIn('dod:read', 'The entity must be visible to you.'),
  dod_endorsements_changes_list: signedIn('dod:read', 'The entity must be visible to you.'),
  dod_policies_changes_list: signedIn('dod:read', 'The entity must be visible to you.'),
  dod_results_changes_list: signedIn('dod:read', 'The entity must be visible to you.'),
  endeavours_changes_list: signedIn('endeavours:read', 'The entity must be visible to you.'),
  invitations_changes_list: signedIn(
    'organizations:read',
    'Only administrators, admins of the organization or endeavour, and the invited person can call this operation.',
  ),
  messages_changes_list: forManagersTokens(signedIn('messages:read', 'The entity must be visible to you.')),
  organizations_changes_list: signedIn('organizations:read', 'The entity must be visible to you.'),
  relations_changes_list: signedIn('relations:read', 'Both ends must be visible to you.'),
  resources_changes_list: signedIn('resources:read', 'The entity must be visible to you.'),
  ritual_runs_changes_list: signedIn('rituals:read', 'The entity must be visible to you.'),
  rituals_changes_list: signedIn('rituals:read', 'The entity must be visible to you.'),
  tasks_changes_list: signedIn('tasks:read', 'The entity must be visible to you.'),
  templates_changes_list: signedIn('templates:read', 'The entity must be visible to you.'),
  time_entries_changes_list: signedIn('tasks:read', 'The entity must be visible to you.'),
  views_changes_list: signedIn(['tasks:read', 'demands:read'], 'The entity must be visible to you.'),
  users_changes_list: signedIn('users:read', 'The entity must be visible to you.'),

  audit_list: signedIn(
    '*:read',
    'Any signed-in user can call this operation. Administrators see all entries, and owners see the entries of their ' +
      'organizations. With mine=true, every user sees the entries that concern them.',
  ),

  webhooks_list: signedIn(
    '*:read',
    'Any signed-in user can call this operation. It lists webhooks of organizations and endeavours in which you have the `admin` role.',
  ),
  webhooks_create: roleInContainer('admin', 'session'),
  webhooks_get: roleInContainer('admin', '*:read'),
  webhooks_update: roleInContainer('admin', 'session'),
  webhooks_delete: roleInContainer('admin', '*'),
  webhooks_test: roleInContainer('admin', '*'),
  webhooks_rotate_secret: roleInContainer('admin', 'session'),
  webhooks_deliveries_list: roleInContainer('admin', '*:read'),
  webhooks_deliveries_get: roleInContainer('admin', '*:read'),
  webhooks_deliveries_redeliver: roleInContainer('admin', '*'),

  changes_redact: signedIn(
    'session',
    'You need the `owner` role in the home organization, or in the endeavour if it has no home organization.',
  ),
  /** The role that redacting a change in an endeavour requires there. */
  changes_redact_in_endeavour: onSecondEntity('*', 'viewer'),
  /** The role that redacting a change in an organization requires there. */
  changes_redact_in_organization: onSecondEntity('*', 'owner'),
} satisfies Record<string, Permission>;
