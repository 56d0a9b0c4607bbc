import { ApiError } from '../../../common/errors.js';
import type { Database } from '../../database/database.js';
import { toApiError } from '../responses/to-api-error.js';

/**
 * Runs work within the current transaction; on an API error, rolls its changes back, unless the error commits them, and
 * returns the error. Other errors are rethrown.
 */
export async function inSavepoint(database: Database, work: () => Promise<unknown>): Promise<ApiError | undefined> {
  await database.query('SAVEPOINT attempt');
  try {
    await work();
    await database.query('RELEASE SAVEPOINT attempt');
    return undefined;
  } catch (error) {
    const { refusal } = toApiError(error);
    if (['unavailable', 'internal_error'].includes(refusal.code)) throw error;
    await database.query(`${refusal.commits ? 'RELEASE' : 'ROLLBACK TO'} SAVEPOINT attempt`);
    return refusal;
  }
}
