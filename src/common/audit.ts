/** The audit action of each event type that is relevant for security. */
const EVENT_ACTIONS = {
  'access_token.created': 'access_token.created',
  'access_token.rotated': 'access_token.rotated',
  'access_token.deleted': 'access_token.deleted',
  'dod.overridden': 'dod.overridden',
  'dod.override_lifted': 'dod.override_lifted',
  'endeavour.archived': 'endeavour.archived',
  'endeavour.deleted': 'endeavour.erased',
  'endeavour.linked': 'endeavour.linked',
  'endeavour.transferred': 'endeavour.transferred',
  'endeavour.unarchived': 'endeavour.unarchived',
  'endeavour.unlinked': 'endeavour.unlinked',
  'invitation.created': 'invitation.created',
  'invitation.deleted': 'invitation.deleted',
  'member.added': 'member.added',
  'member.changed': 'member.changed',
  'member.removed': 'member.removed',
  'organization.archived': 'organization.archived',
  'organization.deleted': 'organization.erased',
  'organization.unarchived': 'organization.unarchived',
  redacted: 'history.redacted',
  'resource.linked': 'resource.linked',
  'resource.transferred': 'resource.transferred',
  'resource.unlinked': 'resource.unlinked',
  'user.created': 'user.created',
  'user.deleted': 'user.erased',
  'webhook.created': 'webhook.created',
  'webhook.deleted': 'webhook.deleted',
  'webhook.secret_rotated': 'webhook.secret_rotated',
  'webhook.updated': 'webhook.updated',
} as const;

/** The audit action of a user change, by changed property; the first match names the action. */
const USER_ACTIONS = {
  status: 'user.status_changed',
  is_admin: 'user.administrator_changed',
  email: 'user.email_changed',
  tier: 'user.tier_changed',
} as const;

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
  'organization.exported',
  'password.changed',
  'password.refused',
  'password.reset',
  'session.created',
  'session.ended',
  'sign_in.failed',
  'token.refused',
  'user.exported',
] as const;

export type AuditAction =
  | (typeof EVENT_ACTIONS)[keyof typeof EVENT_ACTIONS]
  | (typeof USER_ACTIONS)[keyof typeof USER_ACTIONS]
  | (typeof AGENT_ACTIONS)[number]
  | (typeof OTHER_ACTIONS)[number];

/** All audit actions, sorted. */
export const AUDIT_ACTIONS: readonly AuditAction[] = [
  ...Object.values(EVENT_ACTIONS),
  ...Object.values(USER_ACTIONS),
  ...AGENT_ACTIONS,
  ...OTHER_ACTIONS,
].toSorted();

/** The audit action of an event type; undefined if the audit does not record that event. */
export function auditActionOf(type: string, changed: readonly string[] = []): AuditAction | undefined {
  if (Object.hasOwn(EVENT_ACTIONS, type)) return EVENT_ACTIONS[type as keyof typeof EVENT_ACTIONS];
  if (type !== 'user.updated') return undefined;
  return Object.entries(USER_ACTIONS).find(([property]) => changed.includes(property))?.[1];
}

/** The properties of event data that the audit stores: ids and words of closed sets, never free text. */
export const AUDITED_DETAILS = [
  'change_id',
  'endeavour_id',
  'field',
  'is_admin',
  'organization_id',
  'resource_id',
  'role',
  'scopes',
  'status',
  'tier',
  'user_id',
  'user_type',
] as const;
