import type { WindowLimit } from './rate-limited.js';

/** Headers with the remaining quota of a client (draft-ietf-httpapi-ratelimit-headers). */
export const rateHeaders = (
  { name, most, seconds }: Pick<WindowLimit, 'name' | 'most' | 'seconds'>,
  left: number,
  endsIn: number,
): Record<'RateLimit' | 'RateLimit-Policy', string> => ({
  RateLimit: `"${name}";r=${left};t=${endsIn}`,
  'RateLimit-Policy': `"${name}";q=${most};w=${seconds}`,
});
