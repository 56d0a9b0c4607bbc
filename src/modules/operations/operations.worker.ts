import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { boundsOf, Callers } from '../../access/callers.js';
import { Closures } from '../../access/closures.js';
import { forbidden, ApiError } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { isUnavailable } from '../../platform/database/driver-errors.js';
import { Representation } from '../../platform/database/view.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { Loop } from '../../platform/jobs/loop.js';
import { OperationTypes, type OperationType, type OperationWork } from './operation-types.js';
import { OperationsRepository, type TakenOperation } from './operations.repository.js';

const PAUSE_MS = 1_000;
/** The maximum number of consecutive failed attempts at a step, each with half as many items. */
const MOST_ATTEMPTS = 8;
const BATCH_FAILED = { code: 'internal_error', message: 'A batch of the operation failed.' };

/**
 * Runs operations step by step, one transaction each. A step and its progress are committed together, so an operation
 * continues after a crash, on any replica; a step that ends process after process fails like any other. Operations take
 * turns, so that a long one does not delay the others.
 */
@Injectable()
export class OperationsWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Operations');
  private readonly loop = new Loop(() => this.next(), PAUSE_MS);

  constructor(
    private readonly callers: Callers,
    private readonly closures: Closures,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly housekeeping: Housekeeping,
    private readonly repository: OperationsRepository,
    private readonly settings: Settings,
    private readonly types: OperationTypes,
  ) {}

  onApplicationBootstrap(): void {
    this.housekeeping.discard('operations', "finished_at < now() - interval '90 days'");
    this.wake();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Signals that there may be work. */
  wake(): void {
    if (this.settings.WORKERS) this.loop.wake();
  }

  /** Starts queued operations and runs one step of a running one; returns whether there may be more. */
  private async next(): Promise<boolean> {
    const { names } = this.types;
    if (!(await this.repository.hasUnfinished(names))) return false;
    const isStarted = await this.database.transaction(() => this.repository.startNext(names));
    return (await this.doPiece()) || isStarted;
  }

  private async doPiece(): Promise<boolean> {
    const id = await this.database.transaction(() => this.repository.chooseNext(this.types.names));
    if (id === undefined) return false;
    let taken: TakenOperation | undefined;
    try {
      await this.database.transaction(async () => {
        taken = await this.repository.take(id);
        if (taken !== undefined) await this.inContextOf(taken);
      });
    } catch (error) {
      if (taken === undefined) throw error;
      await this.giveWay(taken, error);
    }
    return taken !== undefined;
  }

  /** Its writes carry the id of the request that started it. */
  private inContextOf(taken: TakenOperation): Promise<void> {
    const facts = { requestId: taken.requestId ?? taken.id, clientAddress: '' };
    return this.context.during(facts, () => this.workOn(taken));
  }

  private async workOn(taken: TakenOperation): Promise<void> {
    const { id, containerId, parameters, tally, createdAt, attempts, lost, error, isCanceled } = taken;
    if (lost >= MOST_ATTEMPTS) return this.giveUp(taken);
    const work: OperationWork = { id, containerId: containerId ?? '', parameters, startedAt: createdAt, tally };
    const limit = Math.max(1, Math.floor(this.settings.OPERATION_PIECE / 2 ** (attempts + lost)));
    const type = this.types.get(taken.type);
    if (error !== null) return this.takeBack(type, taken, work, limit);
    if (isCanceled) return this.end(taken, 'canceled', JSON.stringify(tally));
    const me = await this.starterOf(taken);
    await type.authorize(me, work);
    const count = await type.step(me, work, limit);
    if (count > 0) return this.repository.advance(id, taken.done + count, tally);
    const result = await type.finish(me, work);
    return this.end(taken, 'succeeded', result instanceof Representation ? result.body : JSON.stringify(result));
  }

  private async takeBack(
    type: OperationType,
    taken: TakenOperation,
    work: OperationWork,
    limit: number,
  ): Promise<void> {
    const count = (await type.undo?.(work, limit)) ?? 0;
    if (count > 0) return this.repository.advance(taken.id, taken.done - count, work.tally);
    return this.end(taken, 'failed', null);
  }

  private async end(
    { id, type, done, userId }: TakenOperation,
    status: 'succeeded' | 'failed' | 'canceled',
    result: string | null,
  ): Promise<void> {
    await this.closures.reopen(id);
    await this.repository.finish(id, status, result);
    this.database.afterCommit(() => this.log.log(`${type} ${id} of ${userId} ${status}, ${done} items processed`));
  }

  /**
   * The user who started it, with current rights: an agent's are limited by its manager's, and those of a restricted
   * token to its container. Undefined if the user is no longer active.
   */
  private async starterOf({ userId, restrictedTo }: TakenOperation): Promise<Caller> {
    const starter = await this.callers.byUser(userId, restrictedTo);
    if (starter === undefined) throw forbidden('an active account');
    const bounds = boundsOf(starter);
    if (bounds !== undefined) await this.database.confine(bounds);
    return starter.caller;
  }

  /** A rejection ends the operation; after other errors, the step is retried later with fewer items. */
  private async giveWay(taken: TakenOperation, error: unknown): Promise<void> {
    const { id, type } = taken;
    if (error instanceof ApiError && error.code !== 'unavailable') return this.refuse(taken, error);
    this.log.warn(`${type} ${id}: ${String(error)}`);
    const attempts = await this.repository.postpone(id);
    if (attempts < MOST_ATTEMPTS || error instanceof ApiError || isUnavailable(error)) return;
    await this.repository.fail(id, BATCH_FAILED);
  }

  /** Fails an operation whose batch has ended several processes. Effects that cannot be undone stay. */
  private async giveUp(taken: TakenOperation): Promise<void> {
    this.log.warn(`${taken.type} ${taken.id} has ended ${taken.lost} processes in a row`);
    if (taken.error === null) await this.repository.fail(taken.id, BATCH_FAILED);
    else await this.end(taken, 'failed', null);
  }

  private async refuse({ id, type }: TakenOperation, refusal: ApiError): Promise<void> {
    // A user who cannot see the container any more has lost the right to it.
    const { code, message } = refusal.code === 'not_found' ? forbidden('access to the container') : refusal;
    this.log.warn(`${type} ${id} was rejected: ${message}`);
    await this.repository.fail(id, { code, message });
  }
}
