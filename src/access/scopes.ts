import { ApiError } from '../common/errors.js';
import { permissionOf, type OperationId } from './permissions.js';

/** What tokens can be made for: the areas of the interface. */
export const AREAS = [
  'users',
  'organizations',
  'endeavours',
  'demands',
  'tasks',
  'resources',
  'rituals',
  'templates',
  'artifacts',
  'comments',
  'relations',
  'approvals',
  'messages',
  'dod',
] as const;

export type ScopeArea = (typeof AREAS)[number];
export type TokenScope = `${ScopeArea | '*'}:${'read' | 'write'}` | '*';

/** Everything that a token can be given. `*:read` reads in all areas, `*` does everything. */
export const TOKEN_SCOPES: readonly TokenScope[] = [
  ...AREAS.flatMap((area): TokenScope[] => [`${area}:read`, `${area}:write`]),
  '*:read',
  '*',
];

/** The area of operations whose names do not begin with it. All others concern entities of every kind. */
const ELSEWHERE: Readonly<Partial<Record<string, ScopeArea>>> = {
  tiers: 'users',
  invitations: 'organizations',
  ritual: 'rituals',
};

/** Names of operations that only read; the others write. */
const READS =
  /_(?:list|get|summary|lineage|transitions|history|preview|thread|occurrences|status|export|diff|changes|stream|dependencies|progress|load|calendar)$/;

/** Operations that any token may call. */
const FREE: readonly OperationId[] = ['auth_whoami', 'auth_can', 'auth_can_many', 'batch_run'];

/** What a stolen token must not be enough for: only people who have signed in may. */
const SESSION_ONLY: readonly OperationId[] = [
  'changes_redact',
  'endeavours_delete',
  'endeavours_members_add',
  'endeavours_members_update',
  'endeavours_transfer',
  'invitations_accept',
  'invitations_accept_own',
  'invitations_create',
  'invitations_update',
  'organizations_delete',
  'organizations_endeavours_add',
  'organizations_endeavours_remove',
  'organizations_members_add',
  'organizations_members_update',
  'organizations_resources_add',
  'organizations_resources_remove',
  'resources_transfer',
  'users_add_endeavour',
  'users_create',
  'users_delete',
  'webhooks_create',
  'webhooks_rotate_secret',
  'webhooks_update',
];

/** Whether the operation needs a session, so that no access token is accepted. */
export const needsSession = (operation: OperationId): boolean =>
  SESSION_ONLY.includes(operation) || (/^(?:auth|agents)_/.test(operation) && !FREE.includes(operation));

/** The scope that a token needs for the operation; undefined where any token will do, or none. */
export function scopeOf(operation: OperationId): TokenScope | undefined {
  if (permissionOf(operation).access === 'public' || needsSession(operation) || FREE.includes(operation))
    return undefined;
  const [first] = operation.split('_');
  const area = AREAS.find((one) => one === first) ?? ELSEWHERE[first];
  if (READS.test(operation)) return `${area ?? '*'}:read`;
  return area === undefined ? '*' : `${area}:write`;
}

/** Whether one of the scopes is enough for what is required. */
export function holdsScope(scopes: readonly string[], required: TokenScope): boolean {
  const isRead = required.endsWith(':read');
  return scopes.includes('*') || scopes.includes(required) || (isRead && scopes.includes('*:read'));
}

export const sessionRequired = (): ApiError =>
  new ApiError('forbidden', 'Access tokens cannot do this; sign in with e-mail address and password.', {
    required: 'a signed-in session',
    reason: 'session_required',
  });

const scopeRequired = (required: TokenScope): ApiError =>
  new ApiError('forbidden', `This access token needs the scope ${required}.`, {
    required: `the scope ${required}`,
    reason: 'scope_required',
    required_scope: required,
  });

/** Refuses a token the operations that need a session, and those that its scopes do not reach. */
export function assertScope(operation: OperationId, scopes: readonly string[]): void {
  if (needsSession(operation)) throw sessionRequired();
  const required = scopeOf(operation);
  if (required !== undefined && !holdsScope(scopes, required)) throw scopeRequired(required);
}
