/** A number of requests per number of seconds. */
export interface Limit {
  name: string;
  most: number;
  seconds: number;
}

/** Headers with the remaining quota of a client (draft-ietf-httpapi-ratelimit-headers). */
export const rateHeaders = (
  { name, most, seconds }: Limit,
  left: number,
  endsIn: number,
): Record<'RateLimit' | 'RateLimit-Policy', string> => ({
  RateLimit: `"${name}";r=${left};t=${endsIn}`,
  'RateLimit-Policy': `"${name}";q=${most};w=${seconds}`,
});
