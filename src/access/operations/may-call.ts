import { administratorRequired } from '../../common/errors.js';
import { assertManagersToken } from '../memberships/agents.js';
import type { Caller } from '../authentication/caller.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';
import { assertTokenMayCall } from './scopes.js';

/**
 * The checks that depend only on the caller and the operation: the scopes of an access token, who created an agent's
 * token, and operations that are reserved for administrators. The caller is undefined in public operations.
 */
export function assertMayCall(operation: OperationId, caller: Caller | undefined): void {
  if (caller !== undefined) {
    assertTokenMayCall(operation, caller);
    assertManagersToken(operation, caller);
  }
  if (permissionOf(operation).access === 'admin' && caller?.isAdmin !== true) throw administratorRequired();
}
