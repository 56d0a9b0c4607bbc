import { ApiError } from '../common/errors.js';
import { isByToken, type Caller } from './caller.js';
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

/**
 * The scopes of operations that show or change the contents of other kinds than the area of their id: a report shows the
 * tasks of an endeavour, and archiving cancels them.
 */
const BEYOND_AREA: Readonly<Partial<Record<OperationId, readonly TokenScope[]>>> = {
  endeavours_dod_status_get: ['dod:read', 'tasks:read'],
  endeavours_archive: ['*'],
  endeavours_calendar_get: ['endeavours:read', 'tasks:read', 'demands:read', 'rituals:read'],
  endeavours_dependencies_get: ['endeavours:read', 'tasks:read'],
  endeavours_export_get: ['*:read'],
  endeavours_load_get: ['endeavours:read', 'tasks:read'],
  endeavours_progress_get: ['endeavours:read', 'tasks:read'],
  endeavours_unarchive: ['*'],
  organizations_alerts_list: ['*:read'],
  organizations_archive: ['*'],
  organizations_export_get: ['*:read'],
  organizations_unarchive: ['*'],
  resources_load_get: ['resources:read', 'tasks:read'],
  resources_reassign: ['resources:write', 'tasks:write', 'demands:write'],
  templates_preview: ['*:read'],
};

/** Operations that tokens can call with any scope. */
const ANY_SCOPE: readonly OperationId[] = ['auth_whoami_get', 'auth_can_get', 'auth_can_check', 'batch_run'];

/** Operations that no access token can call, so that a stolen one cannot grant rights or delete containers. */
const SESSION_ONLY: readonly OperationId[] = [
  'changes_redact',
  'endeavours_delete',
  'endeavours_erasure_delete',
  'endeavours_members_add',
  'endeavours_members_update',
  'endeavours_transfer',
  'invitations_accept',
  'invitations_accept_own',
  'invitations_create',
  'invitations_update',
  'organizations_delete',
  'organizations_erasure_delete',
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

/** The scopes that a token needs for the operation, all of them; empty if it needs none or is not accepted. */
export function scopesOf(operation: OperationId): readonly TokenScope[] {
  if (permissionOf(operation).access === 'public' || needsSession(operation) || ANY_SCOPE.includes(operation))
    return [];
  return BEYOND_AREA[operation] ?? [ownScopeOf(operation)];
}

/** The scope of the operation by the area of its id. */
function ownScopeOf(operation: OperationId): TokenScope {
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

/** Whether the operation only reads. */
export const onlyReads = (operation: OperationId): boolean => {
  const scopes = scopesOf(operation);
  return scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read'));
};

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

/** Rejects an access token without one of the scopes; has no effect on sessions. */
export function assertScopes(me: Pick<Caller, 'tokenId' | 'scopes'>, required: readonly TokenScope[]): void {
  if (!isByToken(me)) return;
  const missing = required.find((scope) => !includesScope(me.scopes, scope));
  if (missing !== undefined) throw scopeRequired(missing);
}

/** Rejects an access token if the operation needs a session, or is outside of the token's scopes. */
export function assertTokenMayCall(operation: OperationId, me: Caller): void {
  // A calendar token opens only the calendar; the guard accepts it nowhere else.
  if (!isByToken(me) || me.isCalendarToken === true) return;
  if (needsSession(operation)) throw sessionRequired();
  assertScopes(me, scopesOf(operation));
}
