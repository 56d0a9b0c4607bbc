/** The security-relevant acts that have an event, by the type of the event, and what the audit calls them. */
const OF_EVENTS = {
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
const OF_USERS = {
  status: 'user.status_changed',
  is_admin: 'user.administrator_changed',
  email: 'user.email_changed',
  tier: 'user.tier_changed',
} as const;

/** Of an agent the same acts begin with `agent`. */
const OF_AGENTS = [
  'agent.administrator_changed',
  'agent.created',
  'agent.email_changed',
  'agent.erased',
  'agent.status_changed',
  'agent.tier_changed',
] as const;

/** Acts without an event, and refusals, which are counted together per minute, caller and operation. */
const OTHERS = [
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
  | (typeof OF_EVENTS)[keyof typeof OF_EVENTS]
  | (typeof OF_USERS)[keyof typeof OF_USERS]
  | (typeof OF_AGENTS)[number]
  | (typeof OTHERS)[number];

/** Every kind of act that the audit knows. */
export const AUDIT_ACTIONS: readonly AuditAction[] = [
  ...Object.values(OF_EVENTS),
  ...Object.values(OF_USERS),
  ...OF_AGENTS,
  ...OTHERS,
].toSorted();

/** The audit action of an event type; undefined if the audit does not record that event. */
export function auditActionOf(type: string, changed: readonly string[] = []): AuditAction | undefined {
  if (Object.hasOwn(OF_EVENTS, type)) return OF_EVENTS[type as keyof typeof OF_EVENTS];
  if (type !== 'user.updated') return undefined;
  return Object.entries(OF_USERS).find(([property]) => changed.includes(property))?.[1];
}

/** What the audit keeps of an event's data: ids and words of closed sets, never free text. */
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
