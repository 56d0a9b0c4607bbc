import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';

/** What belongs to the piece of work under way: its transaction, and what waits for the commit. */
export interface Scope {
  client?: PoolClient;
  /** Set as soon as somebody asks for the transaction, so that two askers get the same one. */
  starting?: Promise<PoolClient>;
  /** The answer to `BEGIN`. */
  begun?: Promise<unknown>;
  /** Committed or taken back: whoever comes now comes too late. */
  isOver: boolean;
  afterCommit: (() => void)[];
}

export const ambient = new AsyncLocalStorage<Scope>();
