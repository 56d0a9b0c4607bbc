import type { PoolClient } from 'pg';
import { ApiError } from '../../common/errors.js';
import { isConnectionLost } from './driver-errors.js';
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
