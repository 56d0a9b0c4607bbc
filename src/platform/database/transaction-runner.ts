import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { confine, confinement } from './confinement.js';
import { isUnavailable } from './driver-errors.js';
import { commit, settle, withinDeadline } from './transaction-completion.js';
import { transactionStorage, type TransactionContext } from './transaction-context.js';

export interface TransactionOptions {
  /** The work may end it itself, by its `queryAndCommit` statement, because nothing is to be written behind it. */
  endsWithWork?: boolean;
  /** How often the work is done at most where others are in its way. */
  tries?: number;
  /** How long it may take from its begin to its last statement; 503 beyond, and nothing is done. */
  seconds?: number;
}

interface RunOptions extends Omit<TransactionOptions, 'tries'> {
  /** Whether it sees all rows, regardless of what the current request may see. */
  isUnconfined?: boolean;
}

/** Begins, commits and rolls back the transactions of {@link Database}, and releases their connections. */
export class TransactionRunner {
  private readonly log = new Logger(TransactionRunner.name);

  constructor(private readonly pool: () => Pool) {}

  /** Does the work once, in a transaction that begins with its first statement. */
  async run<T>(
    work: () => Promise<T>,
    { endsWithWork = false, isUnconfined = false, seconds }: RunOptions = {},
  ): Promise<T> {
    const scope: TransactionContext = { afterCommit: [], isOver: false, endsWithWork, isUnconfined };
    if (seconds !== undefined) scope.deadline = performance.now() + seconds * 1_000;
    try {
      const outcome = await transactionStorage.run(scope, () => settle(work));
      if (scope.starting !== undefined) await commit(scope, await scope.starting);
      for (const task of scope.afterCommit) task();
      if (outcome.refusal !== undefined) throw outcome.refusal;
      return outcome.result as T;
    } catch (error) {
      throw scope.conflict ?? error;
    } finally {
      await this.finish(scope);
    }
  }

  /** The transaction begins with the first statement that needs it, so that a refused shape costs no connection. */
  clientOf(scope: TransactionContext): Promise<PoolClient> {
    if (scope.isOver) throw new Error('a statement was sent after its transaction had ended');
    scope.starting ??= this.begin(scope);
    return scope.deadline === undefined ? scope.starting : withinDeadline(scope, scope.starting, scope.deadline);
  }

  /** The first statement follows `BEGIN` without waiting for it: connections answer in the order in which they are asked. */
  private async begin(scope: TransactionContext): Promise<PoolClient> {
    const client = await this.pool().connect();
    if (scope.isOver) {
      client.release();
      throw new Error('the work ended before its transaction began');
    }
    scope.client = client;
    scope.begun = client.query('BEGIN');
    scope.begun.catch(() => undefined);
    const bounds = scope.isUnconfined ? undefined : confinement();
    if (bounds !== undefined) {
      scope.isConfined = true;
      // Where this fails, everything after it in the transaction does.
      confine(client, bounds).catch(() => undefined);
    }
    return client;
  }

  /** Releases the connection; uncommitted changes are rolled back, if necessary by closing the connection. */
  private async finish(scope: TransactionContext): Promise<void> {
    const { client, isOver } = scope;
    scope.isOver = true;
    if (client === undefined) return;
    try {
      if (scope.ending !== undefined) await scope.ending;
      else if (!isOver) await client.query('ROLLBACK');
      client.release();
    } catch (error) {
      // The caller that waited for the end has received the error.
      if (scope.ending === undefined && !isUnavailable(error)) this.log.error('rollback failed', error);
      client.release(true);
    }
  }
}
