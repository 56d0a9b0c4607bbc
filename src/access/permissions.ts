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
  "member of the source's endeavour, admin of its organization or manager of its resource; both ends visible; for memberships what their own operations need";
const MANAGER = 'its user, admins of its home organization, or its creator while it has none';

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
  auth_can: signedIn('tells of what is yours to see only'),
  auth_can_many: signedIn('tells of what is yours to see only'),
  auth_delete_account: signedIn(),
  auth_my_data: signedIn(),
  auth_email_change: signedIn(),
  auth_email_verify: signedIn(),
  auth_email_pending: signedIn(),
  auth_email_cancel: signedIn(),
  auth_sessions_list: signedIn(),
  auth_sessions_delete: signedIn('the user whose session it is'),
  auth_sessions_delete_others: signedIn(),
  auth_tokens_list: signedIn(),
  auth_tokens_create: signedIn(),
  auth_tokens_get: signedIn('the user whose token it is'),
  auth_tokens_update: signedIn('the user whose token it is'),
  auth_tokens_rotate: signedIn('the user whose token it is'),
  auth_tokens_delete: signedIn('the user whose token it is'),

  users_list: administrator,
  users_create: administrator,
  users_delete: administrator,
  users_get: signedIn('the user, people who share a container with them (fewer fields), administrators'),
  users_update: signedIn('the user for name, lang, timezone, email_copy; administrators for the rest'),
  users_add_endeavour: signedIn('admin of the endeavour; the user must share an organization or endeavour'),

  agents_list: signedIn('shows those that you manage, and those of organizations where you are admin'),
  agents_create: needs('admin', 'in the organization'),
  agents_update: signedIn('its manager, admins of its organization'),
  agents_delete: signedIn('its manager, admins of its organization'),
  agents_tokens_create: signedIn('its manager, admins of its organization'),

  tiers_list: administrator,
  tiers_update: administrator,

  invitations_list: signedIn('administrators, admins of the organization or endeavour'),
  invitations_create: needs('admin', 'in the organization and the endeavour; without either: an administrator'),
  invitations_delete: signedIn('administrators, admins of the organization or endeavour'),
  invitations_get: signedIn('administrators, admins of the organization or endeavour, the person invited'),
  invitations_update: signedIn('administrators, admins of the organization and the endeavour'),
  invitations_accept: signedIn(),
  invitations_accept_own: signedIn('the person invited'),
  invitations_refuse: signedIn('the person invited'),

  organizations_list: signedIn(),
  organizations_create: signedIn('any signed-in user, who becomes its owner'),
  organizations_get: needs('guest'),
  organizations_update: needs('admin'),
  /** What creating an endeavour in an organization needs there. */
  organizations_take_in: part('member'),
  organizations_members_list: needs('guest'),
  organizations_members_add: needs('admin', 'never above your own role; only owners touch owner roles'),
  organizations_members_update: needs('admin', 'never above your own role; only owners touch owner roles'),
  organizations_members_remove: needs('guest', 'admin, or the member itself'),
  organizations_resources_add: needs('admin', 'creator of a resource without a home, or owner of its home'),
  organizations_resources_remove: signedIn(
    'the member itself, admin; of a resource: owner of its home, admin of an organization that shares it or of its home',
  ),
  organizations_endeavours_add: needs('admin', 'and owner of the home of the endeavour, or of one that has no home'),
  organizations_endeavours_remove: signedIn(
    'owner of the organization that is its home; of one that is not: its admins, and owners of the endeavour',
  ),
  /** What ending the sharing of an endeavour needs of the organization that it is shared with. */
  organizations_unshare: part('admin'),
  organizations_alert_terms_list: needs('guest'),
  organizations_alert_terms_replace: needs('admin'),
  organizations_alerts_list: needs('admin'),
  alerts_get: needs('admin', 'of the organization that watches for the term'),
  organizations_archive_preview: needs('owner'),
  organizations_archive: needs('owner'),
  organizations_unarchive: needs('owner'),
  organizations_export: needs('owner'),
  organizations_delete: needs('owner'),

  endeavours_list: signedIn(),
  endeavours_create: signedIn(
    'any signed-in user, who becomes its owner; with organization_id a member of that organization',
  ),
  endeavours_get: needs('viewer'),
  endeavours_update: needs('admin'),
  endeavours_members_list: needs('viewer'),
  endeavours_members_add: needs('admin', 'never above your own role; only owners touch owner roles'),
  endeavours_members_update: needs('admin', 'never above your own role; only owners touch owner roles'),
  endeavours_members_remove: needs('viewer', 'admin, or the member itself'),
  endeavours_archive_preview: needs('owner'),
  endeavours_archive: needs('owner'),
  endeavours_unarchive: needs('owner', 'in its home organization, where it has one'),
  endeavours_export: needs('owner'),
  endeavours_transfer: needs('owner', 'of its home organization, and admin of the one that it goes to'),
  endeavours_delete: needs('owner', 'in its home organization, where it has one'),
  /** What an endeavour that is transferred to an organization needs there. */
  endeavours_take_home: part('admin'),
  /** What linking and unlinking needs of the endeavour. */
  endeavours_share: part('owner'),

  resources_list: signedIn(),
  resources_create: signedIn('any signed-in user; with organization_id an admin of that organization'),
  /** What creating a resource in an organization needs there. */
  resources_take_in: part('admin'),
  resources_get: signedIn(
    'its user, members of its home (or its creator, while it has none), and with fewer fields members of organizations ' +
      'that share it and of endeavours in which it works',
  ),
  resources_update: signedIn(MANAGER),
  resources_delete: signedIn(MANAGER),
  resources_reassign: signedIn('the person, administrators, and admins of endeavours for the work in these'),
  /** What handing over one's own work needs where it is. */
  resources_reassign_own: part('member'),
  /** What handing over the work of others needs where it is. */
  resources_reassign_others: part('admin'),
  resources_transfer: signedIn('owner of its home organization, and admin of the one that it goes to'),
  resources_members_list: signedIn('those who see the team'),
  resources_members_add: signedIn(MANAGER),
  resources_members_remove: signedIn(MANAGER),

  demands_list: signedIn(),
  demands_create: needs('member'),
  demands_get: needs('viewer'),
  demands_update: needs('member', 'to cancel or fulfil: admin, or creator or owner of the demand'),

  tasks_list: signedIn(),
  tasks_summary: signedIn(),
  tasks_create: needs('member'),
  tasks_get: needs('viewer'),
  tasks_update: needs('member', 'to cancel: admin, creator, owner, or assignee by the word of somebody else'),
  tasks_transitions: needs('viewer'),

  artifacts_list: signedIn(),
  artifacts_create: needs('member'),
  artifacts_get: needs('viewer'),
  artifacts_update: needs('member'),
  artifacts_delete: needs('member'),

  comments_list: signedIn(),
  comments_create: needs('member', 'on what is built in or global: an administrator'),
  comments_get: signedIn('those who see the thing commented on'),
  comments_update: needs('member', 'the author'),
  comments_delete: signedIn('the author, or an admin where the thing lies'),
  comments_history: needs('admin'),

  approvals_list: signedIn(),
  approvals_create: needs('member', 'on what is built in or global: an administrator'),
  approvals_dismiss: needs('admin', 'and no author of the thing'),
  approvals_get: signedIn('those who see the thing approved'),

  messages_list: signedIn(),
  messages_create: signedIn('any signed-in user, to recipients that they may see; to a scope a member of it'),
  /** What sending to a whole container needs there. */
  messages_to_scope: part('member'),
  messages_get: signedIn('the sender and the recipients'),
  messages_update: signedIn('the recipients'),
  messages_reply: signedIn('the sender and the recipients'),
  messages_thread: signedIn('the sender and the recipients'),
  messages_recipients_list: signedIn('the sender and the recipients'),
  messages_mark_read: signedIn(),
  messages_delete: signedIn('the recipients'),

  templates_list: signedIn(),
  templates_create: needs(
    'admin',
    'in the organization; for global ones: an administrator; personal ones: anyone signed in',
  ),
  templates_get: signedIn('global ones: anyone; others: members of the organization; personal copies: their creator'),
  templates_update: needs('admin', 'administrators for global ones; personal copies: their creator'),
  templates_fork: signedIn('those who see it; admin of the organization that the fork goes to'),
  templates_lineage: signedIn('those who see it'),
  templates_preview: signedIn('those who see it and the thing to try it on'),
  reports_get: signedIn('those who see the thing'),

  rituals_list: signedIn(),
  rituals_create: needs('admin', 'in the endeavour; without one anyone signed in'),
  rituals_get: signedIn('viewers of the endeavour; built-in ones: anyone; personal copies: their creator'),
  rituals_update: needs('admin', 'personal copies: their creator'),
  rituals_fork: signedIn('those who see it; admin of the endeavour or organization that the fork goes to'),
  rituals_lineage: signedIn('those who see it'),
  rituals_occurrences: signedIn('those who see it'),

  ritual_runs_list: signedIn(),
  ritual_runs_create: needs('member', 'personal copies: their creator'),
  ritual_runs_get: signedIn('those who see the ritual'),
  ritual_runs_update: needs('member', 'personal copies: their creator'),

  dod_policies_list: signedIn(),
  dod_policies_create: needs(
    'admin',
    'of the organization or endeavour; global ones: an administrator; personal ones: anyone signed in',
  ),
  dod_policies_get: signedIn(
    'global ones: anyone; members of its organization; viewers of its endeavour; personal ones: their creator and viewers of an endeavour that goes by them',
  ),
  dod_policies_update: needs(
    'admin',
    'of its organization or endeavour; personal ones: their creator; global ones: an administrator',
  ),
  dod_policies_lineage: signedIn('those who see it'),
  dod_policies_version: signedIn(
    'those who may update it; to copy a built-in one: admin where the copy goes, if anywhere',
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
  dod_results_post: needs('member', 'and what the policy asks of who posts it'),
  dod_results_get: needs('viewer'),
  dod_endorsements_list: signedIn(),
  dod_endorsements_create: needs('member'),
  dod_endorsements_get: needs('viewer'),
  dod_endorsements_withdraw: needs('viewer', 'the person who gave it'),

  operations_list: signedIn(),
  operations_get: signedIn('the user who started it, admins of the container, administrators'),
  operations_cancel: signedIn('the user who started it, admins of the container, administrators'),

  changes_list: signedIn('any signed-in user; it shows what they may see now'),
  changes_stream: signedIn('any signed-in user; it shows what they may see now'),
  activity_list: signedIn('any signed-in user; it shows what they may see now'),
  activity_summary: signedIn('any signed-in user; it counts what they may see now'),
  approvals_changes: signedIn('any user who sees the thing'),
  artifacts_changes: signedIn('any user who sees the thing'),
  comments_changes: signedIn('any user who sees the thing'),
  demands_changes: signedIn('any user who sees the thing'),
  dod_checks_changes: signedIn('any user who sees the thing'),
  dod_endorsements_changes: signedIn('any user who sees the thing'),
  dod_policies_changes: signedIn('any user who sees the thing'),
  dod_results_changes: signedIn('any user who sees the thing'),
  endeavours_changes: signedIn('any user who sees the thing'),
  messages_changes: signedIn('any user who sees the thing'),
  organizations_changes: signedIn('any user who sees the thing'),
  resources_changes: signedIn('any user who sees the thing'),
  ritual_runs_changes: signedIn('any user who sees the thing'),
  rituals_changes: signedIn('any user who sees the thing'),
  tasks_changes: signedIn('any user who sees the thing'),
  templates_changes: signedIn('any user who sees the thing'),
  users_changes: signedIn('any user who sees the thing'),

  changes_redact: signedIn('owner of the home organization; of an endeavour without one: its direct owner'),
  /** What redacting a change in an endeavour needs to be seen. */
  changes_redact_in_endeavour: part('viewer'),
  changes_redact_in_organization: part('owner'),

  relations_list: signedIn('any signed-in user; it shows the relations of which both ends are visible'),
  relations_get: signedIn('those who see both ends'),
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
