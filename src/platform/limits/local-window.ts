const WINDOW_MS = 60_000;

/**
 * Counts requests per user and minute in this process. It is cheaper than {@link Counters}, for limits that need not be
 * shared between replicas.
 */
export class LocalWindow {
  private counts = new Map<string, number>();
  private endsAt = 0;

  /** Increments the count of the subject; returns it with the seconds until the window ends. */
  count(subject: string, now = Date.now()): { count: number; endsIn: number } {
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.endsAt = now + WINDOW_MS;
    }
    const count = (this.counts.get(subject) ?? 0) + 1;
    this.counts.set(subject, count);
    return { count, endsIn: Math.ceil((this.endsAt - now) / 1000) };
  }
}
