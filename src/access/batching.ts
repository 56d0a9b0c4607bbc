import {
  BoundedTransaction,
  MayAnswerLater,
  OwnTransactions,
  SecretProperties,
} from '../platform/http/route-metadata.js';
import { isTransactional } from '../platform/http/transactional-routes.js';
import { OPERATION } from './operation.js';
import { permissionOf, type OperationId } from './permissions.js';
import { needsSession } from './scopes.js';

/** What keeps a handler out of the transaction of others, or its answer from being referred to. */
const OBSTACLES = [BoundedTransaction, MayAnswerLater, OwnTransactions, SecretProperties];

/**
 * Whether a handler can be part of a batch: it writes in one transaction, needs no session, shows no secret, never
 * becomes an operation, and is not the batch itself. Follows from its declaration.
 */
export function isBatchable(handler: Function): boolean {
  const operation = Reflect.getMetadata(OPERATION, handler) as OperationId | undefined;
  if (operation === undefined || !isTransactional(handler)) return false;
  if (OBSTACLES.some(({ KEY }) => Reflect.hasMetadata(KEY, handler))) return false;
  return permissionOf(operation).access !== 'public' && !needsSession(operation);
}
