import { ApiError } from '../../common/errors.js';
import type { Database } from '../database/database.js';
import { toApiError } from './to-api-error.js';

/**
 * Does work within the transaction under way, or leaves nothing of it and answers with its refusal. What a refusal keeps on
 * purpose stays; failures that are no refusals go on.
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
