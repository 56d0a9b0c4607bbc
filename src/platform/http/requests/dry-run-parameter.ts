import type { FastifyRequest } from 'fastify';
import type { FieldError } from '../../../common/errors.js';
import { parseFlag } from './parsed.js';
import type { RequestState } from './request.interceptor.js';
import { MayBeAsynchronous, OwnTransactions, SecretProperties, WithoutDryRun } from '../server/route-metadata.js';
import { isTransactional } from './transactional-routes.js';

const NAME = 'dry_run';

/** Metadata of handlers that cannot be executed and rolled back, or whose response would differ. */
const OBSTACLES = [OwnTransactions, MayBeAsynchronous, SecretProperties];

/**
 * Whether a route accepts `dry_run=true`: every write in a single transaction does, unless its decorators exclude it.
 */
export const acceptsDryRun = (controller: Function, handler: Function): boolean =>
  isTransactional(handler) &&
  !OBSTACLES.some(({ KEY }) => Reflect.hasMetadata(KEY, handler)) &&
  ![controller, handler].some((declared) => Reflect.hasMetadata(WithoutDryRun.KEY, declared));

/**
 * Removes `dry_run` from the query of a writing request and records it. Rejects it on routes without a dry run, even if
 * the client wants unknown parameters ignored, because the write would be executed.
 */
export function takeDryRun(request: FastifyRequest & RequestState, isAccepted: boolean): FieldError[] {
  const query = request.query as Record<string, unknown>;
  if (!Object.hasOwn(query, NAME)) return [];
  const { [NAME]: raw, ...others } = query;
  request.query = others;
  if (!isAccepted) return [{ field: NAME, code: 'unknown_field', message: 'This operation has no dry run.' }];
  if (typeof raw !== 'string') {
    return [{ field: NAME, code: 'unknown_field', message: `${NAME} can be given only once.` }];
  }
  const parsed = parseFlag(raw);
  if (!('value' in parsed)) return [{ field: NAME, ...parsed }];
  request.isDryRun = parsed.value === true;
  return [];
}
