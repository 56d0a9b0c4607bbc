/** So many in so many seconds. */
export interface Limit {
  name: string;
  most: number;
  seconds: number;
}

/** The headers that tell a client what it may still do (draft-ietf-httpapi-ratelimit-headers). */
export const rateHeaders = (
  { name, most, seconds }: Limit,
  left: number,
  endsIn: number,
): Record<'RateLimit' | 'RateLimit-Policy', string> => ({
  RateLimit: `"${name}";r=${left};t=${endsIn}`,
  'RateLimit-Policy': `"${name}";q=${most};w=${seconds}`,
});
