/**
 * The period in which this process may send statements without asking whether its release still fits the schema. A
 * process that was frozen for longer asks before its first statement.
 */
export class Lease {
  /** On the clock of `performance.now()`, which continues while the process is frozen. */
  private expiresAt = Infinity;
  private renewal: Promise<void> | undefined;
  private renew: () => Promise<void> = () => Promise.resolve();

  /** Registers how to renew an expired lease; it fails if the release no longer fits. */
  renewBy(renew: () => Promise<void>): void {
    this.renew = renew;
  }

  extendUntil(expiresAt: number): void {
    this.expiresAt = expiresAt;
  }

  get isExpired(): boolean {
    return performance.now() > this.expiresAt;
  }

  /** Renews the lease, once for all statements that wait for it. */
  async renewed(): Promise<void> {
    this.renewal ??= this.renew().finally(() => (this.renewal = undefined));
    await this.renewal;
  }
}
