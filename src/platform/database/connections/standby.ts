import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg, { type Pool, type PoolClient } from 'pg';
import { currentSpan, endingWith, within } from '../../spans/span.js';
import type { Connection } from './connection.js';
import type { PoolOptions } from './data-source.js';
import { isRetryable, isUnavailable, sqlState } from './driver-errors.js';
import type { Lease } from './lease.js';
import { PreparedClient } from './prepared-client.js';
import {
  outcomeOf,
  primaryPosition,
  standbyPosition,
  type PrimaryPosition,
  type StandbyOutcome,
} from './standby-position.js';
import type { StandbyScope, TransactionContext } from '../transactions/transaction-context.js';
import type { TransactionRunner } from '../transactions/transaction-runner.js';

/** The standby that answers reads, by the settings. */
export interface StandbyOptions extends PoolOptions {
  connection: Connection;
  /** The time that a read waits until the standby is fit for it; READ_LAG_MS. */
  lagMs: number;
}

/** How long a standby that has failed, or was too late, is left alone, so that few reads wait for it in vain. */
const REST_MS = 2_000;
const POLL_MS = 10;
const IDLE_MS = 50_000;
const MAX_IDLE_IN_TRANSACTION = '60s';
const STATEMENT_TIMEOUT = '57014';

/** Why the standby is not asked for a while, because the next read would fare no better. */
const RESTING: readonly StandbyOutcome[] = ['behind', 'unreachable', 'promoted', 'other_server', 'unknown'];

/** Whether the next read would probably fail as well: replication cancels reads, or the connection was lost. */
const isLasting = (failure: unknown): boolean =>
  failure !== undefined && (isRetryable(failure) || isUnavailable(failure));

/** What a standby has said last while a read waits for it. */
interface Seen {
  outcome: StandbyOutcome;
}

/** A read that the standby cannot answer, or not any more. */
class HandedOver extends Error {
  constructor(readonly outcome: StandbyOutcome) {
    super(`the standby is not used: ${outcome}`);
  }
}

let mayRead: () => boolean = () => false;

/** Sets the function that says whether the current request may be answered by a standby; called once. */
export function readStandbyIf(find: () => boolean): void {
  mayRead = find;
}

/**
 * Lets a standby answer reads of the operations that declare it. A read sees at least what was committed when it began:
 * the primary says its position, and the standby must have replayed it. The primary answers if the standby is not fit
 * for that, or fails.
 */
export class Standby {
  private readonly log = new Logger('Standby');
  private readonly pool: Pool;
  private readonly lagMs: number;
  private readonly poolSize: number;
  /** The time by `performance.now()` until which the primary answers all reads. */
  private restsUntil = -Infinity;
  /** The outcome of the last read. */
  private last: StandbyOutcome | undefined;
  private count: (outcome: StandbyOutcome) => void = () => undefined;

  constructor(
    private readonly primary: () => Pool,
    private readonly runner: TransactionRunner,
    private readonly lease: Lease,
    { connection, lagMs, poolSize, sessionSettings }: StandbyOptions,
  ) {
    this.lagMs = lagMs;
    this.poolSize = poolSize;
    const address = 'url' in connection ? { connectionString: connection.url } : connection;
    const config = {
      ...address,
      Client: PreparedClient,
      pipeline: true,
      sessionSettings,
      application_name: 'worksmith',
      max: poolSize,
      connectionTimeoutMillis: Math.max(lagMs, 1),
      idleTimeoutMillis: IDLE_MS,
    };
    this.pool = new pg.Pool(config);
    this.pool.on('error', () => undefined);
  }

  /** The outcome of the last read; undefined before the first one. */
  get state(): StandbyOutcome | undefined {
    return this.last;
  }

  get connections(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Registers how to count reads by their outcome. */
  onRead(count: (outcome: StandbyOutcome) => void): void {
    this.count = count;
  }

  /** Whether the current request may be answered by a standby. */
  get isAllowed(): boolean {
    return mayRead();
  }

  /** How far the standby is behind the primary, in bytes of the log; undefined if it does not answer in time. */
  async bytesBehind(): Promise<number | undefined> {
    const position = await primaryPosition(this.primary());
    try {
      const client = await this.connected();
      const { bytesBehind } = await this.inTime(client, standbyPosition(client, position));
      client.release();
      return Math.max(bytesBehind ?? 0, 0);
    } catch {
      return undefined;
    }
  }

  /** Does not wait for a server that hangs. */
  async close(): Promise<void> {
    await Promise.race([this.pool.end(), pause(this.lagMs, undefined, { ref: false })]);
  }

  /**
   * Reads in one snapshot of the standby, or `otherwise` on the primary. The work must bear to be begun again: it says
   * with {@link StandbyScope.isDelivered} from when on it does not.
   */
  async read<T>(work: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    const scope: TransactionContext & { standby: StandbyScope } = {
      afterCommit: [],
      isOver: false,
      endsWithWork: false,
      isUnconfined: false,
      standby: { held: [], ends: [] },
    };
    try {
      const client = await this.prepared();
      const run = (): Promise<T> => this.runner.runBegun(client, scope, work);
      const span = currentSpan()?.begin('read on the standby', 'internal', { 'worksmith.read.server': 'standby' });
      const result = await (span === undefined ? run() : endingWith(span, () => within(span, run)));
      if (scope.standby.failure !== undefined) throw new HandedOver('canceled');
      this.note('standby');
      return result;
    } catch (error) {
      const outcome = this.handedOver(error, scope.standby);
      this.note(outcome ?? 'standby');
      if (outcome === undefined) throw error;
      if (isLasting(scope.standby.failure)) this.rest();
      if (scope.standby.isDelivered === true) throw error;
    } finally {
      for (const end of scope.standby.ends) end();
      await Promise.all(scope.standby.held);
    }
    return otherwise();
  }

  /** Why the primary answers instead; undefined for an error that it would also have. */
  private handedOver(error: unknown, { failure }: StandbyScope): StandbyOutcome | undefined {
    if (error instanceof HandedOver) return error.outcome;
    return failure === undefined || sqlState(failure) === STATEMENT_TIMEOUT ? undefined : 'canceled';
  }

  /** A connection in a transaction whose snapshot contains everything that is committed now. */
  private async prepared(): Promise<PoolClient> {
    if (performance.now() < this.restsUntil) throw new HandedOver(this.last ?? 'unreachable');
    const deadline = performance.now() + this.lagMs;
    const position = await this.position();
    const client = await this.connected();
    const seen: Seen = { outcome: 'unreachable' };
    return this.inTime(client, this.begin(client, position, deadline, seen), seen);
  }

  /** What the connection answers; closes it if it fails or is not in time: a frozen server does not even close it. */
  private async inTime<T>(client: PoolClient, answer: Promise<T>, seen?: Seen): Promise<T> {
    const timeout = new AbortController();
    const late = pause(this.lagMs + POLL_MS, undefined, { signal: timeout.signal }).then(() => {
      throw new HandedOver(seen?.outcome ?? 'unreachable');
    });
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      client.release(true);
      throw error instanceof HandedOver ? error : new HandedOver('unreachable');
    } finally {
      timeout.abort();
    }
  }

  private async position(): Promise<PrimaryPosition> {
    if (this.lease.isExpired) await this.lease.renewed();
    try {
      return await primaryPosition(this.primary());
    } catch {
      throw new HandedOver('unknown');
    }
  }

  private async connected(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch {
      throw new HandedOver(this.pool.totalCount < this.poolSize ? 'unreachable' : 'busy');
    }
  }

  /**
   * Checks the position and begins the snapshot without letting go of the connection, behind which a pooler may have
   * several servers. The snapshot begins in a chained transaction, because the first statement of a transaction takes its
   * snapshot before it reads the position.
   */
  private async begin(
    client: PoolClient,
    position: PrimaryPosition,
    deadline: number,
    seen: Seen,
  ): Promise<PoolClient> {
    await client.query('BEGIN READ ONLY');
    for (;;) {
      seen.outcome = outcomeOf(await standbyPosition(client, position));
      if (seen.outcome === 'standby') break;
      if (seen.outcome !== 'behind' || performance.now() > deadline) throw new HandedOver(seen.outcome);
      await pause(POLL_MS);
    }
    await client.query(`COMMIT AND CHAIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
      SET LOCAL idle_in_transaction_session_timeout = '${MAX_IDLE_IN_TRANSACTION}'`);
    return client;
  }

  private rest(): void {
    this.restsUntil = performance.now() + REST_MS;
  }

  private note(outcome: StandbyOutcome): void {
    this.count(outcome);
    // Reads that come meanwhile do not prolong the rest.
    if (RESTING.includes(outcome) && performance.now() >= this.restsUntil) this.rest();
    if (outcome === this.last) return;
    if (outcome !== 'standby') this.log.warn(`The primary answers reads of the standby: ${outcome}`);
    else if (this.last !== undefined) this.log.log('The standby answers reads again');
    this.last = outcome;
  }
}
