import { prefersLenient } from '../../platform/context/unknown-fields.js';

const MAX_SECONDS = 20;

/** The number of seconds in `Prefer: wait=20` (RFC 7240), at most 20; 0 without it. */
export function waitSeconds(prefer: string | string[] | undefined): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?(?=$|[,;\s])/i.exec(String(prefer ?? ''))?.[1];
  return Math.min(Number(seconds ?? 0), MAX_SECONDS);
}

/** The preferences that a response has honoured, for `Preference-Applied`. */
export const appliedPreferences = (prefer: string | string[] | undefined, seconds: number): string =>
  [...(prefersLenient(prefer) ? ['handling=lenient'] : []), `wait=${seconds}`].join(', ');
