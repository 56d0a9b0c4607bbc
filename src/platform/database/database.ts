import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult, QueryResult } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { columnsSql, fromRow } from './columns/columns.js';
import { confine, confinedText, confinement, type Confinement } from './transactions/confinement.js';
import { recordingConflict } from './transactions/transaction-completion.js';
import { isConnectionLost, isUnavailable, isRetryable } from './connections/driver-errors.js';
import { outcomeUnknown } from './connections/outcome-unknown.js';
import { Lease } from './connections/lease.js';
import { traceStatement } from '../spans/statement-spans.js';
import { GRACE_MS } from './connections/prepared-client.js';
import { PipelinedReader } from './connections/pipelined-reader.js';
import type { LockableRow } from './views/rows.js';
import type { TextRow } from './views/text-row.js';
import { Standby, type StandbyOptions } from './connections/standby.js';
import { transactionStorage } from './transactions/transaction-context.js';
import { TransactionRunner, type TransactionOptions } from './transactions/transaction-runner.js';

export type { DataSource, EntityTarget, ObjectLiteral, TransactionOptions };

const MAX_TRIES = 3;

/** The options of the standby, or null. */
export const STANDBY_OPTIONS = 'STANDBY_OPTIONS';

/**
 * Executes statements and transactions. Inside {@link transaction}, every statement of the same asynchronous context
 * uses one connection and one transaction; outside, each statement uses the pool.
 */
@Injectable()
export class Database {
  private readonly runner = new TransactionRunner(() => this.pool, this.lease);
  /** Undefined without DATABASE_READ_URL. */
  readonly standby: Standby | undefined;

  constructor(
    readonly source: DataSource,
    private readonly pipelinedReader: PipelinedReader,
    private readonly lease: Lease,
    @Inject(STANDBY_OPTIONS) standby: StandbyOptions | null,
  ) {
    this.standby = standby === null ? undefined : new Standby(() => this.pool, this.runner, lease, standby);
  }

  /** Runs one statement with `$1`-style parameters; returns the rows as parsed by the driver. */
  async query<R = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<R[]> {
    return rowsOf<R>(await this.send(sql, (client, text) => client.query(text, parameters)));
  }

  /** The rows of one statement with values as PostgreSQL text, for callers that only pass them on. */
  async queryAsText(sql: string, parameters: unknown[]): Promise<TextRow[]> {
    const { rows } = await this.send(sql, (client, text) => {
      const statement: QueryArrayConfig = { text, values: parameters, rowMode: 'array', types: AS_TEXT };
      return client.query<TextRow>(statement);
    });
    return rows;
  }

  /** The first row, or undefined if there is none. */
  async one<R = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<R | undefined> {
    const [row] = await this.query<R>(sql, parameters);
    return row;
  }

  /**
   * The first row of a short read that uses an index. Outside a transaction, all such reads share one pipelined
   * connection. If it breaks, the read is repeated on the pool, because nothing was written.
   */
  async queryPipelined<R = Record<string, unknown>>(sql: string, parameters: unknown[]): Promise<R | undefined> {
    const isAlone = transactionStorage.getStore() === undefined && confinement() === undefined;
    if (isAlone && this.lease.isExpired) await this.lease.renewed();
    const client = isAlone ? this.pipelinedReader.open : undefined;
    if (client === undefined) return this.one<R>(sql, parameters);
    try {
      const { rows } = await traceStatement(sql, () => client.send(sql, parameters));
      return rows[0] as R | undefined;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return this.one<R>(sql, parameters);
    }
  }

  /** The row with that id as its entity; it must exist. `locked` keeps it unchanged until the transaction ends. */
  async row<E extends ObjectLiteral>(entity: EntityTarget<E>, id: string, { locked = false } = {}): Promise<E> {
    const { tableName } = this.source.getMetadata(entity);
    const columns = columnsSql(this.source, entity, tableName);
    const row = await this.one(
      `SELECT ${columns} FROM ${tableName} WHERE id = $1 ${locked ? 'FOR NO KEY UPDATE' : ''}`,
      [id],
    );
    if (row === undefined) throw new Error(`${tableName} has no row ${id}`);
    return fromRow(this.source, entity, row);
  }

  /**
   * Waits for other locks on that row (FOR KEY SHARE), and blocks new ones until the transaction ends. Updates its key,
   * because PostgreSQL occasionally grants FOR KEY SHARE while it grants FOR UPDATE to another transaction
   * (docs/decisions/0011).
   */
  async lockExclusively<E extends LockableRow>(entity: EntityTarget<E>, id: string): Promise<void> {
    const { tableName } = this.source.getMetadata(entity);
    await this.query(`UPDATE ${tableName} SET holds = holds + 1 WHERE id = $1`, [id]);
  }

  /**
   * The first row of the last statement of a transaction. If the work ends with it, the commit follows the statement
   * without waiting for its response; any later statement is a programming error.
   */
  async queryAndCommit<R>(sql: string, parameters: unknown[]): Promise<R | undefined> {
    const scope = transactionStorage.getStore();
    if (scope?.endsWithWork !== true) return this.one<R>(sql, parameters);
    const client = await this.runner.clientOf(scope);
    const result = client.query(scope.isConfined === true ? confinedText(sql) : sql, parameters);
    scope.ending = client.query('COMMIT');
    scope.ending.catch(() => undefined);
    scope.isOver = true;
    try {
      return rowsOf<R>(await traceStatement(sql, () => result))[0];
    } catch (error) {
      throw isConnectionLost(error) ? outcomeUnknown() : error;
    }
  }

  /** The number of connections, of idle connections, and of waiting requests. */
  get connections(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /**
   * Commits all of the work or none of it; an error with `commits` is rethrown after the commit. Nested work joins the
   * outer transaction. Work is retried after a serialization failure or deadlock, so it must have no effect outside the
   * database except through {@link afterCommit}.
   */
  async transaction<T>(work: () => Promise<T>, { tries = MAX_TRIES, ...options }: TransactionOptions = {}): Promise<T> {
    const outer = transactionStorage.getStore();
    if (outer !== undefined) return recordingConflict(outer, work);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.runner.run(work, options);
      } catch (error) {
        if (attempt >= tries || !isRetryable(error)) throw error;
        await pause(Math.random() * 20 * 2 ** attempt);
      }
    }
  }

  /**
   * Reads a consistent snapshot in any number of statements; nothing can be written. Each statement, and each pause
   * between two, may take that many seconds. A standby answers if the operation declares it (`readsStandby`).
   */
  async snapshot<T>(seconds: number, work: () => Promise<T>): Promise<T> {
    const outer = transactionStorage.getStore();
    if (outer !== undefined && outer.standby === undefined)
      throw new Error('a snapshot cannot be opened inside a transaction');
    const settings = `SET LOCAL idle_in_transaction_session_timeout = '${seconds}s';
         SET LOCAL plan_cache_mode = 'force_custom_plan';`;
    const read = async (begin = ''): Promise<T> => {
      await this.allowStatements(seconds, begin + settings);
      return work();
    };
    if (outer !== undefined) return read();
    return this.onStandby(read, () =>
      this.runner.run(() => read('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;')),
    );
  }

  /**
   * Runs work that only reads, and that a standby answers in one snapshot if the operation declares it (`readsStandby`);
   * otherwise each statement is on its own, as without this.
   */
  report<T>(work: () => Promise<T>): Promise<T> {
    return transactionStorage.getStore() === undefined ? this.onStandby(work, work) : work();
  }

  /** Says that a part of the result is being sent, after which a read on a standby cannot be repeated on the primary. */
  deliver(): void {
    const standby = transactionStorage.getStore()?.standby;
    if (standby !== undefined) standby.isDelivered = true;
  }

  /**
   * Runs work that takes locks until the end of the current transaction. For a read on a standby, whose locks do not
   * exclude other requests, they are held on the primary, for at most that many seconds after their last statement.
   */
  async holding<T>(seconds: number, work: () => Promise<T>): Promise<T> {
    const standby = transactionStorage.getStore()?.standby;
    if (standby === undefined) return work();
    const read = new Promise<void>((end) => standby.ends.push(end));
    return new Promise<T>((resolve, reject) => {
      const transaction = transactionStorage.exit(() =>
        this.runner.run(async () => {
          const result = await work();
          await this.allowPause(seconds);
          resolve(result);
          await read;
        }),
      );
      // After the read, a lock that was lost with its connection is of no further interest.
      standby.held.push(transaction.catch(reject));
    });
  }

  /** A transaction each of whose statements may take that many seconds, for rare work on very many rows. */
  longTransaction<T>(seconds: number, work: () => Promise<T>): Promise<T> {
    return this.transaction(async () => {
      await this.allowStatements(seconds);
      return work();
    });
  }

  /**
   * Plans the statements and foreign keys of the connection anew, for the present size of the tables: a plan from when
   * they were nearly empty reads them as a whole, until the server happens to analyze them.
   */
  async replan(): Promise<void> {
    await this.query('DISCARD PLANS');
  }

  /** Lets a transaction that has begun be idle for so many seconds, until its next statement. */
  async allowPause(seconds: number): Promise<void> {
    if (transactionStorage.getStore()?.starting === undefined) return;
    await this.query(`SET LOCAL idle_in_transaction_session_timeout = '${seconds}s'`);
  }

  /**
   * Lets each further statement of the current transaction take that many seconds. The connection then waits as long for
   * its result: otherwise it would be closed in the middle of the statement.
   */
  private async allowStatements(seconds: number, settings = ''): Promise<void> {
    const scope = transactionStorage.getStore();
    if (scope === undefined) throw new Error('only statements of a transaction are allowed more time');
    await this.query(`${settings} SET LOCAL statement_timeout = '${seconds}s'`);
    scope.isLong = true;
    scope.client?.setSocketTimeout(seconds * 1_000 + GRACE_MS);
  }

  /**
   * Commits even if the surrounding work fails: for counters of attempts and records of denials. It needs a second
   * connection, so it is rejected once the surrounding work holds one (this could deadlock the pool).
   */
  async inNewTransaction<T>(work: () => Promise<T>): Promise<T> {
    const scope = transactionStorage.getStore();
    if (scope?.starting !== undefined && scope.standby === undefined) {
      throw new Error('inNewTransaction() inside an open transaction would hold two connections');
    }
    return transactionStorage.exit(() => this.transaction(work));
  }

  /**
   * Commits while the surrounding snapshot stays open, in which nothing can be written. It needs a second connection, so
   * only work of which few run at once may call it (others could deadlock the pool).
   */
  async besideSnapshot<T>(work: () => Promise<T>): Promise<T> {
    return transactionStorage.exit(() => this.transaction(work));
  }

  /** Runs the service's own work with access to all rows, regardless of what the current request may see. */
  async unconfined<T>(work: () => Promise<T>): Promise<T> {
    const scope = transactionStorage.getStore();
    if (scope?.standby !== undefined) return transactionStorage.exit(() => this.unconfined(work));
    if (scope?.isConfined === true) throw new Error('unconfined() was called inside a confined transaction');
    if (scope !== undefined || confinement() === undefined) return work();
    return this.runner.run(work, { isUnconfined: true });
  }

  /** Restricts the rest of the current transaction, as soon as its user is known. */
  async confine(bounds: Confinement): Promise<void> {
    const scope = transactionStorage.getStore();
    if (scope === undefined) throw new Error('only a transaction is confined');
    scope.isConfined = true;
    await confine(await this.runner.clientOf(scope), bounds);
  }

  /**
   * Runs once the surrounding transaction is committed, and not if it is rolled back; immediately outside a
   * transaction.
   */
  afterCommit(task: () => void): void {
    const scope = transactionStorage.getStore();
    if (scope === undefined) task();
    else scope.afterCommit.push(task);
  }

  /** Sends a statement in the current transaction, or outside of one; a confined request gets a transaction for it. */
  private send<R extends QueryResult | QueryArrayResult>(
    text: string,
    run: (client: Pool | PoolClient, text: string) => Promise<R>,
  ): Promise<R> {
    return traceStatement(text, () => this.sendUntraced(text, run));
  }

  private async sendUntraced<R extends QueryResult | QueryArrayResult>(
    text: string,
    run: (client: Pool | PoolClient, text: string) => Promise<R>,
  ): Promise<R> {
    const scope = transactionStorage.getStore();
    if (scope === undefined && confinement() !== undefined) return this.transaction(() => this.sendUntraced(text, run));
    if (scope === undefined && this.lease.isExpired) await this.lease.renewed();
    const client = scope === undefined ? this.pool : await this.runner.clientOf(scope);
    const sent = run(client, scope?.isConfined === true ? confinedText(text) : text);
    const standby = scope?.standby;
    if (standby !== undefined) sent.catch((error: unknown) => (standby.failure ??= error));
    return sent;
  }

  private onStandby<T>(work: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    return this.standby?.isAllowed === true ? this.standby.read(() => work(), otherwise) : otherwise();
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }
}

const AS_TEXT = { getTypeParser: () => (value: string | Buffer) => value };

/** A query of several statements, which takes no parameters, yields no rows. */
const rowsOf = <R>(result: QueryResult | QueryResult[]): R[] => (Array.isArray(result) ? [] : (result.rows as R[]));
