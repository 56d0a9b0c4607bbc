import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient, QueryResult } from 'pg';

/** What belongs to the piece of work under way: its transaction, and what waits for the commit. */
export interface TransactionContext {
  client?: PoolClient;
  /** Set by the first request for the transaction, so that concurrent requests get the same one. */
  starting?: Promise<PoolClient>;
  /** The answer to `BEGIN`. */
  begun?: Promise<unknown>;
  /** Whether the work may end the transaction with its last statement, and the answer to `COMMIT` once it is asked for. */
  endsWithWork: boolean;
  ending?: Promise<QueryResult>;
  /** Committed or rolled back: later statements are rejected. */
  isOver: boolean;
  /** Sees the confined part only (see confinement.ts). */
  isConfined?: true;
  /** Sees everything even in a confined request. */
  isUnconfined: boolean;
  /** When it has to be over, by `performance.now()`; and when the statement timeout was set to what was left by then. */
  deadline?: number;
  boundedAt?: number;
  /** The conflict with another transaction that some of its work met: it cannot commit, even if that was caught. */
  conflict?: unknown;
  afterCommit: (() => void)[];
}

export const transactionStorage = new AsyncLocalStorage<TransactionContext>();
