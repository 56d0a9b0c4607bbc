/** A sealed entry of the audit on its way to a receiver. */
export interface SealedEntry {
  /** Its place in the chain of seals; increases by one. */
  position: number;
  occurredAt: Date;
  action: string;
  /** The entry with its seal as one line of JSON. */
  line: string;
}

/** A receiver of entries outside of the service. */
export interface AuditSink {
  /** Sends entries in this order; rejects with the problem in a few words unless the receiver has taken all of them. */
  send(entries: readonly SealedEntry[]): Promise<void>;
}

/** The time that a receiver has for a batch. */
export const SINK_TIMEOUT_MS = 10_000;
