import { ApiError } from '../common/errors.js';
import { permissionOf, type OperationId } from './permissions.js';

/** The areas of the interface that the scopes of access tokens refer to. */
const AREAS = [
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

type ScopeArea = (typeof AREAS)[number];
export type TokenScope = `${ScopeArea | '*'}:${'read' | 'write'}` | '*';

/** All scopes of access tokens. `*:read` allows reads in all areas, `*` allows everything. */
export const TOKEN_SCOPES: readonly TokenScope[] = [
  ...AREAS.flatMap((area): TokenScope[] => [`${area}:read`, `${area}:write`]),
  '*:read',
  '*',
];

/**
 * The areas of operations whose ids begin with another word. Operations without an area, here or by their first word,
 * concern entities of all kinds.
 */
const AREA_BY_PREFIX: Readonly<Partial<Record<string, ScopeArea>>> = {
  tiers: 'users',
  invitations: 'organizations',
  ritual: 'rituals',
};

/** Matches the ids of operations that only read; the others write. */
const READ_OPERATION = /_(?:list|get|preview)$/;

/** Operations that tokens can call with any scope. */
const ANY_SCOPE: readonly OperationId[] = ['auth_whoami_get', 'auth_can_get', 'auth_can_check', 'batch_run'];

/** Operations that no access token can call, so that a stolen one cannot grant rights or delete containers. */
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
  'users_endeavours_add',
  'users_create',
  'users_delete',
  'webhooks_create',
  'webhooks_rotate_secret',
  'webhooks_update',
];

/** Whether the operation needs a session, so that no access token is accepted. */
export const needsSession = (operation: OperationId): boolean =>
  SESSION_ONLY.includes(operation) || (/^(?:auth|agents)_/.test(operation) && !ANY_SCOPE.includes(operation));

/** The scope that a token needs for the operation; undefined if tokens need no scope or are not accepted. */
export function scopeOf(operation: OperationId): TokenScope | undefined {
  if (permissionOf(operation).access === 'public' || needsSession(operation) || ANY_SCOPE.includes(operation))
    return undefined;
  const area = areaOf(operation);
  if (READ_OPERATION.test(operation)) return `${area ?? '*'}:read`;
  return area === undefined ? '*' : `${area}:write`;
}

/** The Definition of Done of a task or an endeavour (`tasks_dod_results_list`) belongs to its own area. */
function areaOf(operation: OperationId): ScopeArea | undefined {
  if (operation.includes('_dod_')) return 'dod';
  const [first] = operation.split('_');
  return AREAS.find((name) => name === first) ?? AREA_BY_PREFIX[first];
}

/** Whether one of the scopes includes the required one. */
function includesScope(scopes: readonly string[], required: TokenScope): boolean {
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

/** Rejects an access token if the operation needs a session, or is outside of the token's scopes. */
export function assertScope(operation: OperationId, scopes: readonly string[]): void {
  if (needsSession(operation)) throw sessionRequired();
  const required = scopeOf(operation);
  if (required !== undefined && !includesScope(scopes, required)) throw scopeRequired(required);
}
