import { ApiError } from '../../common/errors.js';
import { isByToken, type Caller } from '../authentication/caller.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';
import type { TokenScope } from '../permissions/token-scope.js';

/** Whether the operation needs a session, so that no access token is accepted. */
export const needsSession = (operation: OperationId): boolean => permissionOf(operation).tokens === 'session';

/** The scopes that a token needs for the operation, all of them; empty if it needs none or is not accepted. */
export function scopesOf(operation: OperationId): readonly TokenScope[] {
  const { tokens = 'any' } = permissionOf(operation);
  if (tokens === 'any' || tokens === 'session') return [];
  return typeof tokens === 'string' ? [tokens] : tokens;
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
