import type { PoolClient } from 'pg';
import { ApiError } from '../../common/errors.js';
import { isConnectionLost, isWorthRetrying } from './driver-errors.js';
import type { TransactionContext } from './transaction-context.js';

/** What the work came to: its result, or a refusal that keeps what was written. Anything else that it throws goes on. */
export async function settle<T>(work: () => Promise<T>): Promise<{ result?: T; refusal?: ApiError }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof ApiError && error.commits) return { refusal: error };
    throw error;
  }
}

/** Commits, or receives the answer to a commit under way; fails if the commit failed or its outcome is unknown. */
export async function commit(scope: TransactionContext, client: PoolClient): Promise<void> {
  await scope.begun;
  try {
    scope.ending ??= client.query('COMMIT');
    const { command } = await scope.ending;
    scope.isOver = true;
    if (command !== 'COMMIT') throw new Error('a statement of the transaction failed and its error was not handled');
  } catch (error) {
    throw isConnectionLost(error) ? outcomeUnknown() : error;
  }
}

/** The connection broke after the commit was sent. */
export const outcomeUnknown = (): ApiError =>
  new ApiError(
    'unavailable',
    'The connection to the database was lost during the commit; the change may or may not have been saved.',
    { outcome: 'unknown' },
    1,
  );

/** Does the work as a part of a transaction, which then knows of a conflict even where the work answers for it. */
export async function notingConflict<T>(scope: TransactionContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isWorthRetrying(error)) scope.conflict ??= error;
    throw error;
  }
}

/** How far a statement can exceed the deadline; setting the timeout before each one would cost as much as the smallest. */
const SLACK_MS = 100;

/** The connection, once its next statement is bounded by the deadline; 503 where that has passed. */
export async function withinDeadline(
  scope: TransactionContext,
  starting: Promise<PoolClient>,
  deadline: number,
): Promise<PoolClient> {
  const client = await starting;
  const now = performance.now();
  const left = Math.ceil(deadline - now);
  if (left <= 0) throw tooSlow();
  if (scope.boundedAt === undefined || now - scope.boundedAt > SLACK_MS) {
    scope.boundedAt = now;
    // In its turn before the statement, which fails where this does.
    client.query(`SET LOCAL statement_timeout = ${left}`).catch(() => undefined);
  }
  return client;
}

const tooSlow = (): ApiError =>
  new ApiError('unavailable', 'This took too long and was not done; send less at once.', undefined, 1);
