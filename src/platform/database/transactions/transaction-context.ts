import type { PoolClient, QueryResult } from 'pg';
import { Ambient } from '../../../common/ambient.js';
import type { PreparedClient } from '../connections/prepared-client.js';

/** The further state of a transaction on a standby. */
export interface StandbyScope {
  /** The first error of a statement; the primary then repeats the work, even if the error was caught. */
  failure?: unknown;
  /** A part of the result has been sent, so that the work cannot be repeated. */
  isDelivered?: true;
  /** The transactions of the primary that hold locks for the read. */
  held: Promise<unknown>[];
  /** Functions that let these transactions end. */
  ends: (() => void)[];
}

/** The state of the current transaction, and the tasks that wait for its commit. */
export interface TransactionContext {
  client?: PoolClient & PreparedClient;
  /** Set by the first statement, so that concurrent statements share the connection. */
  starting?: Promise<PoolClient>;
  /** The result of `BEGIN`. */
  begun?: Promise<unknown>;
  /** Whether the last statement of the work may commit, and the result of `COMMIT` once it is sent. */
  endsWithWork: boolean;
  ending?: Promise<QueryResult>;
  /** Whether it is committed or rolled back; later statements are rejected. */
  isOver: boolean;
  /** Set if it is restricted to the confined part (see confinement.ts). */
  isConfined?: true;
  /** Whether it is unrestricted even in a confined request. */
  isUnconfined: boolean;
  /** The deadline by `performance.now()`, and when the statement timeout was last set from it. */
  deadline?: number;
  boundedAt?: number;
  /** Set if its statements may take longer, so that the connection waits longer for their results. */
  isLong?: true;
  /** A conflict with another transaction: this one cannot commit, even if the error was caught. */
  conflict?: unknown;
  /** Set on a standby, where it is a snapshot that only reads. */
  standby?: StandbyScope;
  afterCommit: (() => void)[];
}

export const transactionStorage = new Ambient<TransactionContext>();
