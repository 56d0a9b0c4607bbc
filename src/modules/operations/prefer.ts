const MAX_SECONDS = 20;

/** The number of seconds in `Prefer: wait=20` (RFC 7240), at most 20; 0 without it. */
export function waitSeconds(prefer: string | string[] | undefined): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?(?=$|[,;\s])/i.exec(String(prefer ?? ''))?.[1];
  return Math.min(Number(seconds ?? 0), MAX_SECONDS);
}
