import type { Database, TransactionOptions } from '../../database/database.js';
import { isRetryable } from '../../database/connections/driver-errors.js';
import type { CompleteResponse } from '../responses/envelope.js';

/** Removes headers that refer to the entity that was not created, or to a revision that another write can still get. */
export function dryRunResponse({ status, headers, body }: CompleteResponse): CompleteResponse {
  const { location: _location, etag: _etag, ...others } = headers;
  return { status, headers: { ...others, 'dry-run': 'true' }, body };
}

/** Thrown to roll a transaction back whose work succeeded. */
class Rollback extends Error {}

/**
 * Runs the work of a writing request and rolls all of it back, including what an error would commit. It is retried after
 * a serialization failure or deadlock, as the request itself is.
 */
export async function runAndRollBack<T>(
  database: Database,
  work: () => Promise<T>,
  { seconds, tries }: TransactionOptions = {},
): Promise<T> {
  let outcome: Promise<T> | undefined;
  try {
    await database.transaction(
      async () => {
        outcome = work();
        const error: unknown = await outcome.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        throw isRetryable(error) ? error : new Rollback();
      },
      { seconds, tries },
    );
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
  return outcome as Promise<T>;
}
