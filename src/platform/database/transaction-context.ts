import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient, QueryResult } from 'pg';

/** The state of the current transaction, and the tasks that wait for its commit. */
export interface TransactionContext {
  client?: PoolClient;
  /** Set by the first request for the transaction, so that concurrent requests get the same one. */
  starting?: Promise<PoolClient>;
  /** The answer to `BEGIN`. */
  begun?: Promise<unknown>;
  /** Whether the last statement of the work may commit, and the answer to `COMMIT` once it is sent. */
  endsWithWork: boolean;
  ending?: Promise<QueryResult>;
  /** Committed or rolled back: later statements are rejected. */
  isOver: boolean;
  /** Limited to the confined part (see confinement.ts). */
  isConfined?: true;
  /** Not limited, even in a confined request. */
  isUnconfined: boolean;
  /** The deadline by `performance.now()`, and when the statement timeout was last set from it. */
  deadline?: number;
  boundedAt?: number;
  /** A conflict with another transaction: this one cannot commit, even if the error was caught. */
  conflict?: unknown;
  afterCommit: (() => void)[];
}

export const transactionStorage = new AsyncLocalStorage<TransactionContext>();
