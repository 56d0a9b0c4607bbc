import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryRunner } from 'typeorm';

/** What belongs to the piece of work under way: its transaction, and what waits for the commit. */
export interface Scope {
  runner?: QueryRunner;
  /** Set as soon as somebody asks for the transaction, so that two askers get the same one. */
  starting?: Promise<QueryRunner>;
  afterCommit: (() => void)[];
}

export const ambient = new AsyncLocalStorage<Scope>();
