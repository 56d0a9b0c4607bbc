import {
  BoundedTransaction,
  MayBeAsynchronous,
  OwnTransactions,
  SecretProperties,
} from '../platform/http/route-metadata.js';
import { isTransactional } from '../platform/http/transactional-routes.js';
import { OPERATION } from './operation.js';
import { permissionOf, type OperationId } from './permissions.js';
import { needsSession } from './scopes.js';

/** Metadata of handlers that cannot run in the transaction of a batch, or whose response cannot be referenced. */
const NOT_BATCHABLE = [BoundedTransaction, MayBeAsynchronous, OwnTransactions, SecretProperties];

/**
 * Whether a handler can be part of a batch, according to its decorators: it writes in one transaction, needs no
 * session, reveals no secret, never continues as an operation (202), and is not the batch itself.
 */
export function isBatchable(handler: Function): boolean {
  const operation = Reflect.getMetadata(OPERATION, handler) as OperationId | undefined;
  if (operation === undefined || !isTransactional(handler)) return false;
  if (NOT_BATCHABLE.some(({ KEY }) => Reflect.hasMetadata(KEY, handler))) return false;
  return permissionOf(operation).access !== 'public' && !needsSession(operation);
}
