import { needsRole, onSecondEntity, signedIn, type Permission } from './permission.js';

/** Who can call the operations on long-running operations, batches, the feed, the audit log and webhooks. */
export const RECORD_PERMISSIONS = {
  operations_list: signedIn(),
  operations_get: signedIn(
    'Only the user who started the operation, admins of the container and administrators can call this.',
  ),
  operations_cancel: signedIn(
    'Only the user who started the operation, admins of the container and administrators can call this.',
  ),

  batch_run: signedIn(
    'Any signed-in user can call this operation. Each request in the batch has the requirements of its own operation.',
  ),

  changes_list: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),
  changes_stream_get: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),

  activity_list: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),
  activity_summary_list: signedIn('Any signed-in user can call this operation. It counts only what you can see now.'),
  approvals_changes_list: signedIn('The entity must be visible to you.'),
  artifacts_changes_list: signedIn('The entity must be visible to you.'),
  comments_changes_list: signedIn('The entity must be visible to you.'),
  demands_changes_list: signedIn('The entity must be visible to you.'),
  dod_checks_changes_list: signedIn('The entity must be visible to you.'),
  dod_endorsements_changes_list: signedIn('The entity must be visible to you.'),
  dod_policies_changes_list: signedIn('The entity must be visible to you.'),
  dod_results_changes_list: signedIn('The entity must be visible to you.'),
  endeavours_changes_list: signedIn('The entity must be visible to you.'),
  invitations_changes_list: signedIn(
    'Only administrators, admins of the organization or endeavour, and the invited person can call this operation.',
  ),
  messages_changes_list: signedIn('The entity must be visible to you.'),
  organizations_changes_list: signedIn('The entity must be visible to you.'),
  relations_changes_list: signedIn('Both ends must be visible to you.'),
  resources_changes_list: signedIn('The entity must be visible to you.'),
  ritual_runs_changes_list: signedIn('The entity must be visible to you.'),
  rituals_changes_list: signedIn('The entity must be visible to you.'),
  tasks_changes_list: signedIn('The entity must be visible to you.'),
  templates_changes_list: signedIn('The entity must be visible to you.'),
  users_changes_list: signedIn('The entity must be visible to you.'),

  audit_list: signedIn(
    'Any signed-in user can call this operation. Administrators see all entries, and owners see the entries of their ' +
      'organizations. With mine=true, every user sees the entries that concern them.',
  ),

  webhooks_list: signedIn(
    'Any signed-in user can call this operation. It lists webhooks of organizations and endeavours in which you have the `admin` role.',
  ),
  webhooks_create: needsRole('admin'),
  webhooks_get: needsRole('admin'),
  webhooks_update: needsRole('admin'),
  webhooks_delete: needsRole('admin'),
  webhooks_test: needsRole('admin'),
  webhooks_rotate_secret: needsRole('admin'),
  webhooks_deliveries_list: needsRole('admin'),
  webhooks_deliveries_get: needsRole('admin'),
  webhooks_deliveries_redeliver: needsRole('admin'),

  changes_redact: signedIn(
    'You need the `owner` role in the home organization, or in the endeavour if it has no home organization.',
  ),
  /** The role that redacting a change in an endeavour requires there. */
  changes_redact_in_endeavour: onSecondEntity('viewer'),
  /** The role that redacting a change in an organization requires there. */
  changes_redact_in_organization: onSecondEntity('owner'),
} satisfies Record<string, Permission>;
