import type { FastifyRequest } from 'fastify';
import type { FieldError } from '../../common/errors.js';
import { parseFlag } from '../listing/filters.js';
import type { RequestState } from './request.interceptor.js';
import { MayAnswerLater, OwnTransactions, SecretProperties, WithoutDryRun } from './route-metadata.js';
import { isTransactional } from './transactional-routes.js';

const NAME = 'dry_run';

/** What keeps a handler from being executed and rolled back, or a client from being told what it would have answered. */
const OBSTACLES = [OwnTransactions, MayAnswerLater, SecretProperties];

/** Whether a route takes `dry_run=true`: everything that writes in one transaction, unless its declaration says otherwise. */
export const acceptsDryRun = (controller: Function, handler: Function): boolean =>
  isTransactional(handler) &&
  !OBSTACLES.some(({ KEY }) => Reflect.hasMetadata(KEY, handler)) &&
  ![controller, handler].some((declared) => Reflect.hasMetadata(WithoutDryRun.KEY, declared));

/**
 * Takes `dry_run` out of the query of a writing request, and notes it. Refuses it where there is no dry run, even from
 * clients that want unknown parameters ignored: they would get the write that they meant to try.
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
