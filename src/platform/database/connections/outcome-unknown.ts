import { ApiError } from '../../../common/errors.js';

const LOST = 'The connection to the database was lost during the commit; the change may or may not have been saved.';
const UNCONFIRMED = 'The standby of the database has not confirmed the change; it may or may not be kept.';

/** The error if the connection broke after the commit was sent. */
export const outcomeUnknown = (message = LOST): ApiError =>
  new ApiError('unavailable', message, { outcome: 'unknown' }, 1);

/** The error if the server stopped waiting for its synchronous standby (spec/11, "Many machines"). */
export const commitUnconfirmed = (): ApiError => outcomeUnknown(UNCONFIRMED);

/**
 * Whether a notice says that PostgreSQL stopped waiting for its synchronous standby, after which it reports success
 * although a failover can lose the commit (`pg_cancel_backend`). Its text is in the language of the server; the name of
 * the routine that sends it is not.
 */
export const isUnconfirmed = ({ code, routine }: { code?: string; routine?: string }): boolean =>
  code === '01000' && routine === 'SyncRepWaitForLSN';
