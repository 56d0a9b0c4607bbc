import type { Role } from '../common/roles.js';

/** Who may call an operation. Everything beyond that (whose thing, which state) is a rule of its area. */
export interface Permission {
  door: 'public' | 'signed-in' | 'administrator';
  /** The lowest role that will do, in the endeavour or organization where the thing in question lies. */
  role?: Role;
  /** What else may be needed, in words, for the documents. */
  note?: string;
  /** No route of its own: what operations need of a second place that they touch. */
  isPart?: true;
}

const everyone: Permission = { door: 'public' };
const administrator: Permission = { door: 'administrator' };
const signedIn = (note?: string): Permission => ({ door: 'signed-in', ...(note !== undefined && { note }) });
const needs = (role: Role, note?: string): Permission => ({
  door: 'signed-in',
  role,
  ...(note !== undefined && { note }),
});
const part = (role?: Role): Permission => ({ door: 'signed-in', ...(role !== undefined && { role }), isPart: true });

const RELATES =
  "member of the source's endeavour, admin of its organization or manager of its resource; both ends visible";
const MANAGER = 'its user, admins of an organization that it is in, or its creator while still a member there';

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
  auth_login: everyone,
  auth_logout: signedIn(),
  auth_forgot_password: everyone,
  auth_reset_password: everyone,
  auth_change_password: signedIn(),
  auth_profile: signedIn(),
  auth_whoami: signedIn(),
  auth_email_change: signedIn(),
  auth_email_verify: signedIn(),

  users_list: administrator,
  users_create: administrator,
  users_get: signedIn('the user, people who share a container with them (fewer fields), administrators'),
  users_update: signedIn('the user for name, lang, timezone, email_copy; administrators for the rest'),
  users_add_endeavour: signedIn('admin of the endeavour; the user must share an organization or endeavour'),

  invitations_list: signedIn('administrators, admins of the organization or endeavour'),
  invitations_create: needs('admin', 'in the organization and the endeavour; without either: an administrator'),
  invitations_delete: signedIn('administrators, admins of the organization or endeavour'),
  invitations_accept: signedIn(),

  organizations_list: signedIn(),
  organizations_create: signedIn('whoever creates it becomes its owner'),
  organizations_get: needs('guest'),
  organizations_update: needs('admin'),
  /** What creating an endeavour in an organization needs there. */
  organizations_take_in: part('member'),
  organizations_members_list: needs('guest'),
  organizations_members_add: needs('admin', 'never above your own role; only owners touch owner roles'),
  organizations_members_update: needs('admin', 'never above your own role; only owners touch owner roles'),
  organizations_members_remove: needs('guest', 'admin, or the member itself'),
  organizations_resources_add: needs('admin', 'your own resource, or one that you manage'),
  organizations_resources_remove: needs('guest', 'admin, or the member itself'),
  organizations_endeavours_add: needs('admin', 'and owner of the endeavour'),
  organizations_endeavours_remove: needs('admin', 'and owner of the endeavour'),
  organizations_alert_terms_list: needs('guest'),
  organizations_alert_terms_replace: needs('admin'),
  organizations_alerts_list: needs('admin'),
  organizations_archive_preview: needs('owner'),
  organizations_archive: needs('owner'),
  organizations_unarchive: needs('owner'),
  organizations_export: needs('owner'),

  endeavours_list: signedIn(),
  endeavours_create: signedIn('member of the organization, where one is given; whoever creates it becomes its owner'),
  endeavours_get: needs('viewer'),
  endeavours_update: needs('admin'),
  endeavours_members_list: needs('viewer'),
  endeavours_members_add: needs('admin', 'never above your own role; only owners touch owner roles'),
  endeavours_members_update: needs('admin', 'never above your own role; only owners touch owner roles'),
  endeavours_members_remove: needs('viewer', 'admin, or the member itself'),
  endeavours_archive_preview: needs('owner'),
  endeavours_archive: needs('owner'),
  endeavours_unarchive: needs('owner'),
  endeavours_export: needs('owner'),
  /** What linking and unlinking needs of the endeavour. */
  endeavours_share: part('owner'),

  resources_list: signedIn(),
  resources_create: signedIn('with organization_id: admin of the organization'),
  /** What creating a resource in an organization needs there. */
  resources_take_in: part('admin'),
  resources_get: signedIn('its creator, its user, members of an organization or endeavour that it belongs to'),
  resources_update: signedIn(MANAGER),
  resources_delete: signedIn(MANAGER),
  resources_members_list: signedIn('whoever sees the team'),
  resources_members_add: signedIn(MANAGER),
  resources_members_remove: signedIn(MANAGER),

  demands_list: signedIn(),
  demands_create: needs('member'),
  demands_get: needs('viewer'),
  demands_update: needs('member', 'to cancel or fulfil: admin, or creator or owner of the demand'),

  tasks_list: signedIn(),
  tasks_create: needs('member'),
  tasks_get: needs('viewer'),
  tasks_update: needs('member', 'to cancel: admin, or creator, owner or assignee of the task'),
  tasks_transitions: needs('viewer'),

  artifacts_list: signedIn(),
  artifacts_create: needs('member'),
  artifacts_get: needs('viewer'),
  artifacts_update: needs('member'),
  artifacts_delete: needs('member'),

  comments_list: signedIn(),
  comments_create: needs('member', 'on what is built in or global: an administrator'),
  comments_get: signedIn('who sees the thing commented on'),
  comments_update: needs('member', 'the author'),
  comments_delete: signedIn('the author, or an admin where the thing lies'),
  comments_history: needs('admin'),

  approvals_list: signedIn(),
  approvals_create: needs('member', 'on what is built in or global: an administrator; and the role it is given as'),
  approvals_get: signedIn('who sees the thing approved'),

  messages_list: signedIn(),
  messages_create: signedIn('recipients whom you may see; to a scope: member there'),
  /** What sending to a whole container needs there. */
  messages_to_scope: part('member'),
  messages_get: signedIn('the sender and the recipients'),
  messages_update: signedIn('the recipients'),
  messages_reply: signedIn('the sender and the recipients'),
  messages_thread: signedIn('the sender and the recipients'),

  templates_list: signedIn(),
  templates_create: needs('admin', 'in the organization; without one: an administrator'),
  templates_get: signedIn('global ones: anyone; others: members of the organization; personal copies: their creator'),
  templates_update: needs('admin', 'administrators for global ones; personal copies: their creator'),
  templates_fork: signedIn('who sees it; admin of the organization that the fork goes to'),
  templates_lineage: signedIn('who sees it'),
  templates_preview: signedIn('who sees it and the thing to try it on'),
  reports_get: signedIn('who sees the thing'),

  rituals_list: signedIn(),
  rituals_create: needs('admin', 'in the endeavour; without one anyone signed in'),
  rituals_get: signedIn('viewers of the endeavour; built-in ones: anyone; personal copies: their creator'),
  rituals_update: needs('admin', 'personal copies: their creator'),
  rituals_fork: signedIn('who sees it; admin of the endeavour or organization that the fork goes to'),
  rituals_lineage: signedIn('who sees it'),
  rituals_occurrences: signedIn('who sees it'),

  ritual_runs_list: signedIn(),
  ritual_runs_create: needs('member', 'personal copies: their creator'),
  ritual_runs_get: signedIn('who sees the ritual'),
  ritual_runs_update: needs('member', 'personal copies: their creator'),

  dod_policies_list: signedIn(),
  dod_policies_create: needs('admin', 'of the organization; without one: an administrator'),
  dod_policies_get: signedIn('members of its organization; everyone where it has none'),
  dod_policies_update: needs('admin', 'of its organization; without one: an administrator'),
  dod_policies_lineage: signedIn('members of its organization; everyone where it has none'),
  dod_policies_version: signedIn(
    'admin of its organization, or an administrator; to copy a built-in one: admin where the copy goes, if anywhere',
  ),
  dod_policy_assign: needs('admin'),
  dod_policy_unassign: needs('admin'),
  dod_status: needs('viewer'),
  dod_check: needs('viewer'),
  dod_checks_list: needs('viewer'),
  dod_override: needs('admin'),
  dod_override_lift: needs('admin'),
  dod_results_post: needs('member'),
  dod_endorsements_list: signedIn(),
  dod_endorsements_create: needs('member'),
  dod_endorsements_get: needs('viewer'),
  dod_endorsements_withdraw: needs('viewer', 'whoever gave it'),

  relations_list: signedIn('shows those of which both ends are visible'),
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
