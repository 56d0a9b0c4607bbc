import type { Role } from '../common/roles.js';

/** Who can call an operation. Further conditions (ownership, state) are rules of the feature. */
export interface Permission {
  access: 'public' | 'authenticated' | 'admin';
  /** The lowest sufficient role in the endeavour or organization of the entity. */
  role?: Role;
  /** What else the operation requires, in sentences for the OpenAPI document. */
  note?: string;
  /** No route of its own: what operations need of a second place that they touch. */
  isPart?: true;
}

const everyone: Permission = { access: 'public' };
const administrator: Permission = { access: 'admin' };
const signedIn = (note?: string): Permission => ({ access: 'authenticated', ...(note !== undefined && { note }) });
const needs = (role: Role, note?: string): Permission => ({
  access: 'authenticated',
  role,
  ...(note !== undefined && { note }),
});
const part = (role?: Role): Permission => ({
  access: 'authenticated',
  ...(role !== undefined && { role }),
  isPart: true,
});

const RELATES =
  'You need the `member` role in the endeavour of the source, the `admin` role in its organization, or the ' +
  'right to manage the source resource. Both ends must be visible to you. Relations that are memberships ' +
  'need what the membership operations need.';
const MANAGER =
  'Only the user of the resource, admins of its home organization, or the creator of a resource without a ' +
  'home organization can call this operation.';

/**
 * The permission table of spec 02: one row per operation. Guards, documents and the access matrix of the tests read
 * it; an operation without a row cannot be called, and the service does not start with one.
 */
export const PERMISSIONS = {
  health_live: everyone,
  health_ready: everyone,
  home: everyone,

  auth_register: everyone,
  auth_verify: everyone,
  auth_resend_verification: everyone,
  auth_verification_status: everyone,
  auth_login: everyone,
  auth_logout: signedIn(),
  auth_forgot_password: everyone,
  auth_reset_password: everyone,
  auth_change_password: signedIn(),
  auth_profile: signedIn(),
  auth_whoami: signedIn(),
  auth_can: signedIn('Any signed-in user can call this operation. It answers only for entities that you can see.'),
  auth_can_many: signedIn('Any signed-in user can call this operation. It answers only for entities that you can see.'),
  auth_delete_account: signedIn(),
  auth_my_data: signedIn(),
  auth_email_change: signedIn(),
  auth_email_verify: signedIn(),
  auth_email_pending: signedIn(),
  auth_email_cancel: signedIn(),
  auth_sessions_list: signedIn(),
  auth_sessions_delete: signedIn('Only the user who owns the session can call this operation.'),
  auth_sessions_delete_others: signedIn(),
  auth_tokens_list: signedIn(),
  auth_tokens_create: signedIn(),
  auth_tokens_get: signedIn('Only the user who owns the token can call this operation.'),
  auth_tokens_update: signedIn('Only the user who owns the token can call this operation.'),
  auth_tokens_rotate: signedIn('Only the user who owns the token can call this operation.'),
  auth_tokens_delete: signedIn('Only the user who owns the token can call this operation.'),

  users_list: administrator,
  users_create: administrator,
  users_delete: administrator,
  users_get: signedIn(
    'Visible to the user and to administrators, and with fewer fields to people who share an organization or ' +
      'endeavour with the user.',
  ),
  users_update: signedIn(
    'Users can change their own name, lang, timezone and email_copy. Only administrators can change the rest.',
  ),
  users_add_endeavour: signedIn(
    'You need the `admin` role in the endeavour. The user must share an organization or endeavour with you.',
  ),

  agents_list: signedIn(
    'Any signed-in user can call this operation. It lists the agents that you manage, and the agents of ' +
      'organizations where you are admin.',
  ),
  agents_create: needs('admin'),
  agents_update: signedIn('Only the manager of the agent or an admin of its organization can call this operation.'),
  agents_delete: signedIn('Only the manager of the agent or an admin of its organization can call this operation.'),
  agents_tokens_create: signedIn(
    'Only the manager of the agent or an admin of its organization can call this operation.',
  ),

  tiers_list: administrator,
  tiers_update: administrator,

  invitations_list: signedIn(
    'Only administrators and admins of the organization or endeavour can call this operation.',
  ),
  invitations_create: needs(
    'admin',
    'Without an organization and an endeavour, only administrators can call this operation.',
  ),
  invitations_delete: signedIn(
    'Only administrators and admins of the organization or endeavour can call this operation.',
  ),
  invitations_get: signedIn(
    'Only administrators, admins of the organization or endeavour, and the invited person can call this ' +
      'operation.',
  ),
  invitations_update: signedIn(
    'Only administrators and admins of the organization and the endeavour can call this operation.',
  ),
  invitations_accept: signedIn(),
  invitations_accept_own: signedIn('Only the invited person can call this operation.'),
  invitations_refuse: signedIn('Only the invited person can call this operation.'),

  organizations_list: signedIn(),
  organizations_create: signedIn('Any signed-in user can call this operation and becomes the owner.'),
  organizations_get: needs('guest'),
  organizations_update: needs('admin'),
  /** What creating an endeavour in an organization needs there. */
  organizations_take_in: part('member'),
  organizations_members_list: needs('guest'),
  organizations_members_add: needs(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  organizations_members_update: needs(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  organizations_members_remove: needs(
    'guest',
    'You can remove yourself; removing another member needs the `admin` role.',
  ),
  organizations_resources_add: needs(
    'admin',
    'You must also be the creator of a resource without a home organization, or an owner of its home ' +
      'organization.',
  ),
  organizations_resources_remove: signedIn(
    'Members can remove themselves; admins can remove any member. A resource can also be removed by owners of ' +
      'its home organization, and by admins of either organization.',
  ),
  organizations_endeavours_add: needs(
    'admin',
    'You must also be an owner of the home organization of the endeavour, or of the endeavour if it has no ' +
      'home organization.',
  ),
  organizations_endeavours_remove: signedIn(
    'In the home organization you need the `owner` role. In any other linked organization you need the ' +
      '`admin` role, or the `owner` role in the endeavour.',
  ),
  /** What ending the sharing of an endeavour needs of the organization that it is shared with. */
  organizations_unshare: part('admin'),
  organizations_alert_terms_list: needs('guest'),
  organizations_alert_terms_replace: needs('admin'),
  organizations_alerts_list: needs('admin'),
  alerts_get: needs('admin'),
  organizations_archive_preview: needs('owner'),
  organizations_archive: needs('owner'),
  organizations_unarchive: needs('owner'),
  organizations_export: needs('owner'),
  organizations_delete: needs('owner'),

  endeavours_list: signedIn(),
  endeavours_create: signedIn(
    'Any signed-in user can call this operation and becomes the owner. With organization_id, you need the ' +
      '`member` role in that organization.',
  ),
  endeavours_get: needs('viewer'),
  endeavours_update: needs('admin'),
  endeavours_put_by_external: needs(
    'member',
    'Creating needs the `member` role in the organization, changing the `admin` role in the endeavour.',
  ),
  endeavours_members_list: needs('viewer'),
  endeavours_members_add: needs(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  endeavours_members_update: needs(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  endeavours_members_remove: needs(
    'viewer',
    'You can remove yourself; removing another member needs the `admin` role.',
  ),
  endeavours_archive_preview: needs('owner'),
  endeavours_archive: needs('owner'),
  endeavours_unarchive: needs('owner', 'If the endeavour has a home organization, you need the `owner` role there.'),
  endeavours_export: needs('owner'),
  endeavours_dependencies: needs('viewer'),
  endeavours_progress: needs('viewer'),
  endeavours_load: needs('viewer'),
  endeavours_calendar: needs('viewer'),
  endeavours_transfer: needs(
    'owner',
    'You need the `owner` role in the home organization and the `admin` role in the target organization.',
  ),
  endeavours_delete: needs('owner', 'If the endeavour has a home organization, you need the `owner` role there.'),
  /** What an endeavour that is transferred to an organization needs there. */
  endeavours_take_home: part('admin'),
  /** What linking and unlinking needs of the endeavour. */
  endeavours_share: part('owner'),

  resources_list: signedIn(),
  resources_create: signedIn(
    'Any signed-in user can call this operation. With organization_id, you need the `admin` role in that ' +
      'organization.',
  ),
  /** What creating a resource in an organization needs there. */
  resources_take_in: part('admin'),
  resources_get: signedIn(
    'Visible to the user of the resource, to members of its home organization and, without a home ' +
      'organization, to its creator. Members of organizations that share it and of endeavours in which it works ' +
      'see it with fewer fields.',
  ),
  resources_update: signedIn(MANAGER),
  resources_put_by_external: needs('admin'),
  resources_delete: signedIn(MANAGER),
  resources_reassign: signedIn(
    'You can reassign your own work. Administrators can reassign all work, and admins of endeavours the work ' +
      'in these endeavours.',
  ),
  /** The role that reassigning one's own work requires in its endeavour. */
  resources_reassign_own: part('member'),
  /** What handing over the work of others needs where it is. */
  resources_reassign_others: part('admin'),
  resources_transfer: signedIn(
    'You need the `owner` role in the home organization and the `admin` role in the target organization.',
  ),
  resources_load: signedIn('The resource must be visible to you.'),
  resources_members_list: signedIn('The team must be visible to you.'),
  resources_members_add: signedIn(MANAGER),
  resources_members_remove: signedIn(MANAGER),

  demands_list: signedIn(),
  demands_create: needs('member'),
  demands_get: needs('viewer'),
  demands_update: needs(
    'member',
    'To cancel or fulfil a demand, you need the `admin` role or must be its creator or owner.',
  ),
  demands_put_by_external: needs('member', 'What it changes needs what PATCH needs.'),

  tasks_list: signedIn(),
  tasks_summary: signedIn(),
  tasks_create: needs('member'),
  tasks_get: needs('viewer'),
  tasks_update: needs(
    'member',
    'To cancel a task, you need the `admin` role, or must be its creator, its owner, or an assignee who was ' +
      'assigned by another person.',
  ),
  tasks_bulk: needs('member', 'Each task needs what PATCH needs; what is not allowed is reported.'),
  tasks_put_by_external: needs('member', 'What it changes needs what PATCH needs.'),
  tasks_claim: needs('member', 'You must be a member who can be assigned work there.'),
  tasks_transitions: needs('viewer'),
  tasks_dependencies: needs('viewer'),
  tasks_diff: needs('viewer'),
  tasks_review_requests: needs('member', 'Those whom you ask must be able to give a verdict there.'),
  work_list: signedIn(),
  search_list: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),
  notifications_list: signedIn(),
  notifications_get: signedIn('Only the user who is notified can call this operation.'),
  notifications_update: signedIn('Only the user who is notified can call this operation.'),
  notifications_mark_read: signedIn(),

  artifacts_list: signedIn(),
  artifacts_create: needs('member'),
  artifacts_get: needs('viewer'),
  artifacts_update: needs('member'),
  imports_create: needs('admin', 'Into an organization, an export is brought by its owners.'),
  imports_get: signedIn(
    'Visible to the user who started the import, to admins of the endeavour or organization, and to administrators.',
  ),

  artifacts_put_by_external: needs('member'),
  artifacts_delete: needs('member'),

  comments_list: signedIn(),
  comments_create: needs('member', 'Only administrators can comment on built-in and global entities.'),
  comments_get: signedIn('The entity must be visible to you.'),
  comments_update: needs('member', 'Only the author can edit a comment.'),
  comments_delete: signedIn(
    'Only the author of the comment or an admin of its endeavour or organization can call this operation.',
  ),
  comments_history: needs('admin'),

  approvals_list: signedIn(),
  approvals_create: needs('member', 'Only administrators can approve built-in and global entities.'),
  approvals_dismiss: needs('admin', 'You must not be an author of the entity.'),
  approvals_get: signedIn('The approved entity must be visible to you.'),

  messages_list: signedIn(),
  messages_create: signedIn(
    'Any signed-in user can call this operation. Recipients must be visible to you. To write to an ' +
      'organization or endeavour, you need the `member` role there.',
  ),
  /** What sending to a whole container needs there. */
  messages_to_scope: part('member'),
  messages_get: signedIn('Only the sender and the recipients can call this operation.'),
  messages_update: signedIn('Only the recipients can call this operation.'),
  messages_reply: signedIn('Only the sender and the recipients can call this operation.'),
  messages_thread: signedIn('Only the sender and the recipients can call this operation.'),
  messages_recipients_list: signedIn('Only the sender and the recipients can call this operation.'),
  messages_mark_read: signedIn(),
  messages_delete: signedIn('Only the recipients can call this operation.'),

  templates_list: signedIn(),
  templates_create: needs(
    'admin',
    'Only administrators can create global templates. Any signed-in user can create personal ones.',
  ),
  templates_get: signedIn(
    'Global templates are visible to every signed-in user, templates of an organization to its members, and ' +
      'personal templates to their creator.',
  ),
  templates_update: needs(
    'admin',
    'Only administrators can change global templates. Only the creator can change a personal template.',
  ),
  templates_fork: signedIn(
    'The template must be visible to you. To fork it into an organization, you need the `admin` role there.',
  ),
  templates_lineage: signedIn('The template must be visible to you.'),
  templates_diff: signedIn('Both templates must be visible to you.'),
  templates_preview: signedIn('The template and the entity must be visible to you.'),
  reports_get: signedIn('The entity must be visible to you.'),

  rituals_list: signedIn(),
  rituals_create: needs('admin', 'Any signed-in user can create rituals without an endeavour.'),
  rituals_get: signedIn(
    'Built-in rituals are visible to every signed-in user, rituals of an endeavour to its viewers, and ' +
      'personal rituals to their creator.',
  ),
  rituals_update: needs('admin', 'Only the creator can change a personal ritual.'),
  rituals_fork: signedIn(
    'The ritual must be visible to you. To fork it into an endeavour or organization, you need the `admin` ' +
      'role there.',
  ),
  rituals_lineage: signedIn('The ritual must be visible to you.'),
  rituals_diff: signedIn('Both rituals must be visible to you.'),
  rituals_occurrences: signedIn('The ritual must be visible to you.'),

  ritual_runs_list: signedIn(),
  ritual_runs_create: needs('member', 'Only the creator can run a personal ritual.'),
  ritual_runs_get: signedIn('The ritual must be visible to you.'),
  ritual_runs_update: needs('member', 'Only the creator can change runs of a personal ritual.'),

  dod_policies_list: signedIn(),
  dod_policies_create: needs(
    'admin',
    'Only administrators can create global policies. Any signed-in user can create personal ones.',
  ),
  dod_policies_get: signedIn(
    'Global policies are visible to every signed-in user, policies of an organization to its members, ' +
      'policies of an endeavour to its viewers, and personal policies to their creator and to viewers of the ' +
      'endeavours that they are assigned to.',
  ),
  dod_policies_update: needs(
    'admin',
    'Only administrators can change global policies. Only the creator can change a personal policy.',
  ),
  dod_policies_lineage: signedIn('The policy must be visible to you.'),
  dod_policies_diff: signedIn('Both policies must be visible to you.'),
  dod_policies_version: signedIn(
    'You must be allowed to change the policy. To copy a built-in policy into an organization or endeavour, ' +
      'you need the `admin` role there.',
  ),
  dod_policy_assign: needs('admin'),
  dod_policy_unassign: needs('admin'),
  dod_status: needs('viewer'),
  dod_check: needs('viewer'),
  dod_checks_list: needs('viewer'),
  dod_checks_get: needs('viewer'),
  dod_override: needs('admin'),
  dod_override_lift: needs('admin'),
  dod_results_list: needs('viewer'),
  dod_results_post: needs('member', 'The policy can restrict who may post results.'),
  dod_results_get: needs('viewer'),
  dod_endorsements_list: signedIn(),
  dod_endorsements_create: needs('member'),
  dod_endorsements_get: needs('viewer'),
  dod_endorsements_withdraw: needs('viewer', 'Only the person who gave the endorsement can withdraw it.'),

  operations_list: signedIn(),
  operations_get: signedIn(
    'Only the user who started the operation, admins of the container and administrators can call this.',
  ),
  operations_cancel: signedIn(
    'Only the user who started the operation, admins of the container and administrators can call this.',
  ),

  batch_run: signedIn('Any signed-in user can call this operation. Each of its requests needs what it needs alone.'),

  changes_list: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),
  changes_stream: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),
  activity_list: signedIn('Any signed-in user can call this operation. It returns only what you can see now.'),
  activity_summary: signedIn('Any signed-in user can call this operation. It counts only what you can see now.'),
  approvals_changes: signedIn('The entity must be visible to you.'),
  artifacts_changes: signedIn('The entity must be visible to you.'),
  comments_changes: signedIn('The entity must be visible to you.'),
  demands_changes: signedIn('The entity must be visible to you.'),
  dod_checks_changes: signedIn('The entity must be visible to you.'),
  dod_endorsements_changes: signedIn('The entity must be visible to you.'),
  dod_policies_changes: signedIn('The entity must be visible to you.'),
  dod_results_changes: signedIn('The entity must be visible to you.'),
  endeavours_changes: signedIn('The entity must be visible to you.'),
  invitations_changes: signedIn(
    'Only administrators, admins of the organization or endeavour, and the invited person can call this operation.',
  ),
  messages_changes: signedIn('The entity must be visible to you.'),
  organizations_changes: signedIn('The entity must be visible to you.'),
  relations_changes: signedIn('Both ends must be visible to you.'),
  resources_changes: signedIn('The entity must be visible to you.'),
  ritual_runs_changes: signedIn('The entity must be visible to you.'),
  rituals_changes: signedIn('The entity must be visible to you.'),
  tasks_changes: signedIn('The entity must be visible to you.'),
  templates_changes: signedIn('The entity must be visible to you.'),
  users_changes: signedIn('The entity must be visible to you.'),

  audit_list: signedIn(
    'Any signed-in user can call this operation. Administrators see everything, owners what was done in their organizations, and with mine=true everyone what concerns them.',
  ),
  webhooks_list: signedIn(
    'Any signed-in user can call this operation. It lists webhooks of organizations and endeavours in which you have the `admin` role.',
  ),
  webhooks_create: needs('admin'),
  webhooks_get: needs('admin'),
  webhooks_update: needs('admin'),
  webhooks_delete: needs('admin'),
  webhooks_test: needs('admin'),
  webhooks_rotate_secret: needs('admin'),
  webhooks_deliveries_list: needs('admin'),
  webhooks_deliveries_get: needs('admin'),
  webhooks_deliveries_redeliver: needs('admin'),

  changes_redact: signedIn(
    'You need the `owner` role in the home organization, or in the endeavour if it has no home organization.',
  ),
  /** What redacting a change in an endeavour needs to be seen. */
  changes_redact_in_endeavour: part('viewer'),
  changes_redact_in_organization: part('owner'),

  relations_list: signedIn(
    'Any signed-in user can call this operation. It lists relations of which both ends are visible to you.',
  ),
  relations_get: signedIn('Both ends of the relation must be visible to you.'),
  relations_create: signedIn(RELATES),
  relations_delete: signedIn(RELATES),
  /** What relating something in an endeavour needs. */
  relations_from_endeavour: part('member'),
  /** What relating something in an organization needs. */
  relations_from_organization: part('admin'),
  /** An end of a relation must be visible. */
  relations_to: part(),
} satisfies Record<string, Permission>;

/** The frozen name of an operation; also its `operationId` in the OpenAPI document. */
export type OperationId = keyof typeof PERMISSIONS;

/** The row of an operation under its general type. */
export const permissionOf = (operation: OperationId): Permission => PERMISSIONS[operation];
