import { ApiError } from '../../common/errors.js';
import type { Settings } from '../config/settings.js';

/** A number of requests per time window, or in progress at once. */
export interface Limit {
  /** Its name in `details.limit` and in the `RateLimit` header. */
  name: string;
  /** What is counted, and for whom, for the message: "failed sign-ins from one address". */
  counts: string;
  most: number;
  /** The length of the window; null for what is in progress at once. */
  seconds: number | null;
  /** The setting that changes the limit; null if it is fixed. */
  setting: (keyof Settings & `LIMIT_${string}`) | null;
}

/** A limit with a time window. */
export type WindowLimit = Limit & { seconds: number };

const PERIODS: Readonly<Record<number, string>> = { 60: 'per minute', 3600: 'per hour', 86400: 'per day' };

/** The 429 over the limit. It names the limit and its setting, so that an operator knows what to change. */
export function rateLimited({ name, counts, most, seconds, setting }: Limit, retryAfter: number): ApiError {
  const period = seconds === null ? 'at once' : (PERIODS[seconds] ?? `in ${seconds} seconds`);
  const source = setting === null ? '' : ` (${setting})`;
  const message = `At most ${most} ${counts} are accepted ${period}${source}; try again later.`;
  return new ApiError('rate_limited', message, { limit: name, allowed: most, seconds, setting }, retryAfter);
}
