import type { PoolClient } from 'pg';
import { ApiError } from '../../../common/errors.js';
import { isConnectionLost, isRetryable } from '../connections/driver-errors.js';
import { outcomeUnknown } from '../connections/outcome-unknown.js';
import { traceStatement } from '../../spans/statement-spans.js';
import type { TransactionContext } from './transaction-context.js';

/** Runs the work; returns its result, or an error that commits what was written. Other errors are rethrown. */
export async function resultOrCommittedError<T>(work: () => Promise<T>): Promise<{ result?: T; refusal?: ApiError }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof ApiError && error.commits) return { refusal: error };
    throw error;
  }
}

/** Commits, or waits for a commit that was already sent; rejects if the commit failed or its outcome is unknown. */
export async function commit(scope: TransactionContext, client: PoolClient): Promise<void> {
  await scope.begun;
  try {
    const ending = (scope.ending ??= client.query('COMMIT'));
    const { command } = await traceStatement('COMMIT', () => ending);
    scope.isOver = true;
    if (command !== 'COMMIT') throw new Error('a statement of the transaction failed and its error was not handled');
  } catch (error) {
    throw isConnectionLost(error) ? outcomeUnknown() : error;
  }
}

/** Runs the work as part of a transaction and records a conflict, even if the work handles the error. */
export async function recordingConflict<T>(scope: TransactionContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRetryable(error)) scope.conflict ??= error;
    throw error;
  }
}

/**
 * The time by which a statement can exceed the deadline. The timeout is not set before each statement, because that
 * would cost as much as the smallest statement.
 */
const SLACK_MS = 100;

/** Returns the connection with its next statement limited by the deadline; 503 if the deadline has passed. */
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
    // Sent before the statement, which fails if this fails.
    client.query(`SET LOCAL statement_timeout = ${left}`).catch(() => undefined);
  }
  return client;
}

const tooSlow = (): ApiError =>
  new ApiError('unavailable', 'The request took too long and was rolled back; send smaller requests.', undefined, 1);
