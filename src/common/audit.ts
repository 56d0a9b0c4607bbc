/** The audit action of each event type that is relevant for security. */
const EVENT_ACTIONS = {
  'access_token.created': 'access_token.created',
  'access_token.rotated': 'access_token.rotated',
  'access_token.deleted': 'access_token.deleted',
  'dod.assigned': 'dod.assigned',
  'dod.overridden': 'dod.overridden',
  'dod.override_lifted': 'dod.override_lifted',
  'dod.unassigned': 'dod.unassigned',
  'dod_policy.created': 'dod_policy.created',
  'dod_policy.forked': 'dod_policy.forked',
  'dod_policy.status_changed': 'dod_policy.status_changed',
  'dod_policy.updated': 'dod_policy.updated',
  'dod_policy.versioned': 'dod_policy.versioned',
  'domain.created': 'domain.created',
  'domain.deleted': 'domain.deleted',
  'domain.updated': 'domain.updated',
  'endeavour.archived': 'endeavour.archived',
  'endeavour.deleted': 'endeavour.erased',
  'endeavour.linked': 'endeavour.linked',
  'endeavour.transferred': 'endeavour.transferred',
  'endeavour.unarchived': 'endeavour.unarchived',
  'endeavour.unlinked': 'endeavour.unlinked',
  'identity.created': 'identity.created',
  'identity.deleted': 'identity.deleted',
  'identity_provider.created': 'identity_provider.created',
  'identity_provider.deleted': 'identity_provider.deleted',
  'identity_provider.updated': 'identity_provider.updated',
  'invitation.created': 'invitation.created',
  'invitation.deleted': 'invitation.deleted',
  'member.added': 'member.added',
  'member.changed': 'member.changed',
  'member.removed': 'member.removed',
  'oauth_client.created': 'oauth_client.created',
  'oauth_client.deleted': 'oauth_client.deleted',
  'oauth_client.updated': 'oauth_client.updated',
  'organization.alert_terms_changed': 'organization.alert_terms_changed',
  'organization.archived': 'organization.archived',
  'organization.deleted': 'organization.erased',
  'organization.unarchived': 'organization.unarchived',
  'passkey.created': 'passkey.created',
  'passkey.deleted': 'passkey.deleted',
  redacted: 'history.redacted',
  'registration_token.created': 'registration_token.created',
  'registration_token.deleted': 'registration_token.deleted',
  'resource.linked': 'resource.linked',
  'resource.transferred': 'resource.transferred',
  'resource.unlinked': 'resource.unlinked',
  'scim_token.created': 'scim_token.created',
  'scim_token.deleted': 'scim_token.deleted',
  'user.created': 'user.created',
  'user.deleted': 'user.erased',
  'webhook.created': 'webhook.created',
  'webhook.deleted': 'webhook.deleted',
  'webhook.secret_rotated': 'webhook.secret_rotated',
  'webhook.updated': 'webhook.updated',
} as const;

/** The audit actions of changes of these properties; the first match names the action. */
const CHANGE_ACTIONS = {
  'endeavour.updated': { is_private: 'endeavour.privacy_changed', erasure_at: 'endeavour.erasure_changed' },
  'organization.updated': {
    erasure_at: 'organization.erasure_changed',
    second_factor: 'organization.second_factor_set',
  },
  'user.updated': {
    status: 'user.status_changed',
    is_admin: 'user.administrator_changed',
    email: 'user.email_changed',
    tier: 'user.tier_changed',
  },
} as const;

type ActionsOf<T> = T extends unknown ? T[keyof T] : never;
type ChangeAction = ActionsOf<(typeof CHANGE_ACTIONS)[keyof typeof CHANGE_ACTIONS]>;

/** The actions on agents, which are named like those on users. */
const AGENT_ACTIONS = [
  'agent.administrator_changed',
  'agent.created',
  'agent.email_changed',
  'agent.erased',
  'agent.status_changed',
  'agent.tier_changed',
] as const;

/** The actions without an event; refusals are counted per minute, caller and operation. */
const OTHER_ACTIONS = [
  'access.denied',
  'activity.exported',
  'code.refused',
  'endeavour.exported',
  'limit.hit',
  'list.exported',
  'message.read_by_administrator',
  'organization.exported',
  'passkey.copied',
  'password.changed',
  'password.refused',
  'password.reset',
  'recovery_code.used',
  'recovery_codes.replaced',
  'second_factor.disabled',
  'second_factor.enabled',
  'session.created',
  'session.ended',
  'sign_in.failed',
  'tasks.imported_as_done',
  'tier.changed',
  'token.refused',
  'user.exported',
] as const;

export type AuditAction =
  | (typeof EVENT_ACTIONS)[keyof typeof EVENT_ACTIONS]
  | ChangeAction
  | (typeof AGENT_ACTIONS)[number]
  | (typeof OTHER_ACTIONS)[number];

/** All audit actions, sorted. */
export const AUDIT_ACTIONS: readonly AuditAction[] = [
  ...Object.values(EVENT_ACTIONS),
  ...Object.values(CHANGE_ACTIONS).flatMap((actions): ChangeAction[] => Object.values(actions)),
  ...AGENT_ACTIONS,
  ...OTHER_ACTIONS,
].toSorted();

/** The audit action of an event type; undefined if the audit does not record that event. */
export function auditActionOf(type: string, changed: readonly string[] = []): AuditAction | undefined {
  if (Object.hasOwn(EVENT_ACTIONS, type)) return EVENT_ACTIONS[type as keyof typeof EVENT_ACTIONS];
  if (!Object.hasOwn(CHANGE_ACTIONS, type)) return undefined;
  const actions: Record<string, ChangeAction> = CHANGE_ACTIONS[type as keyof typeof CHANGE_ACTIONS];
  return Object.entries(actions).find(([property]) => changed.includes(property))?.[1];
}

/** The properties of event data that the audit stores: ids and words of closed sets, never free text. */
export const AUDITED_DETAILS = [
  'absent_days',
  'change_id',
  'container',
  'dod_policy_id',
  'endeavour_id',
  'erasure_at',
  'field',
  'is_admin',
  'is_confirmed',
  'is_private',
  'organization_id',
  'predecessor_id',
  'proved_at',
  'resource_id',
  'role',
  'scopes',
  'second_factor',
  'status',
  'tier',
  'user_id',
  'user_type',
] as const;
