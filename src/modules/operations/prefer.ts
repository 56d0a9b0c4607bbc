const MOST_SECONDS = 20;

/** How many seconds `Prefer: wait=20` (RFC 7240) asks to wait, 20 at most; 0 where it does not ask. */
export function waitSeconds(prefer: string | string[] | undefined): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?(?=$|[,;\s])/i.exec(String(prefer ?? ''))?.[1];
  return Math.min(Number(seconds ?? 0), MOST_SECONDS);
}
