import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { confine, confinement } from './confinement.js';
import { isUnavailable } from '../connections/driver-errors.js';
import type { Lease } from '../connections/lease.js';
import type { PreparedClient } from '../connections/prepared-client.js';
import { commit, resultOrCommittedError, withinDeadline } from './transaction-completion.js';
import { transactionStorage, type TransactionContext } from './transaction-context.js';

export interface TransactionOptions {
  /** The work may commit with its `queryAndCommit` statement, because nothing is written after it. */
  endsWithWork?: boolean;
  /** The maximum number of attempts after conflicts. */
  tries?: number;
  /** The time limit from the first to the last statement; 503 and a rollback beyond it. */
  seconds?: number;
}

interface RunOptions extends Omit<TransactionOptions, 'tries'> {
  /** Whether the transaction has access to all rows, regardless of the restrictions of the request. */
  isUnconfined?: boolean;
}

/** Begins, commits and rolls back the transactions of {@link Database}, and releases their connections. */
export class TransactionRunner {
  private readonly log = new Logger(TransactionRunner.name);

  constructor(
    private readonly pool: () => Pool,
    private readonly lease: Lease,
  ) {}

  /** Runs the work once, in a transaction that begins with its first statement. */
  async run<T>(
    work: () => Promise<T>,
    { endsWithWork = false, isUnconfined = false, seconds }: RunOptions = {},
  ): Promise<T> {
    const scope: TransactionContext = { afterCommit: [], isOver: false, endsWithWork, isUnconfined };
    if (seconds !== undefined) scope.deadline = performance.now() + seconds * 1_000;
    try {
      const outcome = await transactionStorage.run(scope, () => resultOrCommittedError(work));
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

  /** Runs work in a transaction that has begun on that connection and only reads; ends it with a rollback. */
  async runBegun<T>(client: PoolClient, scope: TransactionContext, work: () => Promise<T>): Promise<T> {
    scope.client = client as PoolClient & PreparedClient;
    scope.starting = Promise.resolve(client);
    try {
      this.confineBegun(client, scope);
      const result = await transactionStorage.run(scope, work);
      for (const task of scope.afterCommit) task();
      return result;
    } finally {
      await this.finish(scope);
    }
  }

  /** Returns the connection. The first call begins the transaction, so that an invalid request needs no connection. */
  clientOf(scope: TransactionContext): Promise<PoolClient> {
    if (scope.isOver) throw new Error('a statement was sent after its transaction had ended');
    scope.starting ??= this.begin(scope);
    return scope.deadline === undefined ? scope.starting : withinDeadline(scope, scope.starting, scope.deadline);
  }

  /** Does not wait for the result of `BEGIN`, because a connection executes statements in order. */
  private async begin(scope: TransactionContext): Promise<PoolClient> {
    if (this.lease.isExpired) await this.lease.renewed();
    const client = await this.pool().connect();
    if (scope.isOver) {
      client.release();
      throw new Error('the work ended before its transaction began');
    }
    scope.client = client as PoolClient & PreparedClient;
    scope.begun = client.query('BEGIN');
    scope.begun.catch(() => undefined);
    this.confineBegun(client, scope);
    return client;
  }

  private confineBegun(client: PoolClient, scope: TransactionContext): void {
    const bounds = scope.isUnconfined ? undefined : confinement();
    if (bounds !== undefined) {
      scope.isConfined = true;
      // If this fails, every later statement in the transaction fails.
      confine(client, bounds).catch(() => undefined);
    }
  }

  /** Releases the connection; uncommitted changes are rolled back, if necessary by closing the connection. */
  private async finish(scope: TransactionContext): Promise<void> {
    const { client, isOver } = scope;
    scope.isOver = true;
    if (client === undefined) return;
    try {
      if (scope.ending !== undefined) await scope.ending;
      else if (!isOver) await client.query('ROLLBACK');
      if (scope.isLong) client.setSocketTimeout();
      client.release();
    } catch (error) {
      // The caller that waited for the end has received the error.
      if (scope.ending === undefined && !isUnavailable(error)) this.log.error('rollback failed', error);
      client.release(true);
    }
  }
}
