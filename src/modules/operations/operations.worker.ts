import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { boundsOf } from '../../access/authentication/bounded-caller.js';
import { Callers } from '../../access/authentication/callers.js';
import { ContainerWriteBlocks } from '../../access/visibility/container-write-blocks.js';
import { forbidden, ApiError } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { isUnavailable } from '../../platform/database/connections/driver-errors.js';
import { Representation } from '../../platform/database/views/view.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { Loop } from '../../platform/jobs/loop.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import { OperationTypes, workOf, type OperationType, type OperationWork } from './operation-types.js';
import { OperationQueueRepository, type ClaimedOperation } from './operation-queue.repository.js';

const PAUSE_MS = 1_000;
/** The maximum number of consecutive failed attempts at a step, each with half as many items. */
const MAX_ATTEMPTS = 8;
const BATCH_FAILED = { code: 'internal_error', message: 'A batch of the operation failed.' };

/**
 * Runs operations step by step, each step in a separate transaction. A step and its progress are committed together, so
 * any replica can continue an operation after a crash. A step that crashes several processes fails like any other.
 * Operations alternate after every step, so that a long one does not delay the others.
 */
@Injectable()
export class OperationsWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Operations');
  private readonly loop = new Loop('operations', () => this.next(), PAUSE_MS);

  constructor(
    private readonly callers: Callers,
    private readonly writeBlocks: ContainerWriteBlocks,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly housekeeping: Housekeeping,
    private readonly queue: OperationQueueRepository,
    private readonly settings: Settings,
    private readonly tracing: Tracing,
    private readonly types: OperationTypes,
  ) {}

  onApplicationBootstrap(): void {
    this.housekeeping.discard('operations', "finished_at < now() - interval '90 days'");
    this.wake();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Signals that there may be operations to process. */
  wake(): void {
    if (this.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  /** Starts queued operations and runs one step of a running one; returns whether there may be more. */
  private async next(): Promise<boolean> {
    const { names } = this.types;
    if (!(await this.queue.hasUnfinished(names))) return false;
    const isStarted = await this.database.transaction(() => this.queue.startNext(names));
    return (await this.runBatch()) || isStarted;
  }

  private async runBatch(): Promise<boolean> {
    const id = await this.database.transaction(() => this.queue.selectNext(this.types.names));
    if (id === undefined) return false;
    let operation: ClaimedOperation | undefined;
    try {
      await this.database.transaction(async () => {
        operation = await this.queue.claim(id);
        if (operation !== undefined) await this.runInRequestContext(operation);
      });
    } catch (error) {
      if (operation === undefined) throw error;
      await this.handleError(operation, error);
    }
    return operation !== undefined;
  }

  /** Runs the step so that its writes contain the id and the origin of the request that started the operation. */
  private runInRequestContext(operation: ClaimedOperation): Promise<void> {
    const { id, requestId, origin } = operation;
    const { address = '', userAgent } = origin ?? {};
    const requestContext = { requestId: requestId ?? id, clientAddress: address, userAgent };
    return this.context.during(requestContext, () =>
      this.tracing.during(`operation ${operation.type}`, 'internal', { 'worksmith.request_id': requestId ?? id }, () =>
        this.runStep(operation),
      ),
    );
  }

  private async runStep(operation: ClaimedOperation): Promise<void> {
    const { id, tally, attempts, lost, error, isCanceled } = operation;
    if (lost >= MAX_ATTEMPTS) return this.abandon(operation);
    const work = workOf(operation);
    const limit = Math.max(1, Math.floor(this.settings.OPERATION_PIECE / 2 ** (attempts + lost)));
    const type = this.types.get(operation.type);
    if (error !== null) return this.undoStep(type, operation, work, limit);
    if (isCanceled) return this.end(operation, 'canceled', await this.types.reportOf(operation));
    const me = await this.starterOf(operation);
    await type.authorize(me, work);
    await this.database.replan();
    const count = await type.step(me, work, limit);
    if (count > 0) return this.queue.advance(id, operation.done + count, tally);
    const result = await type.finish(me, work);
    return this.end(operation, 'succeeded', result instanceof Representation ? result.body : JSON.stringify(result));
  }

  private async undoStep(
    type: OperationType,
    operation: ClaimedOperation,
    work: OperationWork,
    limit: number,
  ): Promise<void> {
    const count = (await type.undo?.(work, limit)) ?? 0;
    if (count > 0) return this.queue.advance(operation.id, operation.done - count, work.tally);
    return this.end(operation, 'failed', await this.types.reportOf(operation));
  }

  private async end(
    { id, type, done, userId }: ClaimedOperation,
    status: 'succeeded' | 'failed' | 'canceled',
    result: string | null,
  ): Promise<void> {
    await this.writeBlocks.unblock(id);
    await this.queue.finish(id, status, result);
    this.database.afterCommit(() => this.log.log(`${type} ${id} of ${userId} ${status}, ${done} items processed`));
  }

  /**
   * The user who started the operation, with current permissions: those of an agent are limited by its manager's, and
   * those of a restricted token to its container. 403 if the user is no longer active, or if the operation was started
   * with an access token that is no longer valid; the end of a session does not stop an operation. The session or token
   * is that of the request, so that events and audit entries name it.
   */
  private async starterOf({ userId, restrictedTo, origin }: ClaimedOperation): Promise<Caller> {
    const tokenId = origin?.caller.tokenId ?? undefined;
    const starter = await (tokenId === undefined
      ? this.callers.byUser(userId, { containerId: restrictedTo, sessionId: origin?.caller.sessionId })
      : this.callers.byTokenId(tokenId));
    if (starter === undefined) {
      throw forbidden(tokenId === undefined ? 'an active account' : 'a valid access token');
    }
    const bounds = boundsOf(starter);
    if (bounds !== undefined) await this.database.confine(bounds);
    const me = { ...starter.caller, ...origin?.caller };
    this.context.actAs(me);
    return me;
  }

  /** Fails the operation if the step was rejected; after other errors, the step is retried later with fewer items. */
  private async handleError(operation: ClaimedOperation, error: unknown): Promise<void> {
    const { id, type } = operation;
    if (error instanceof ApiError && error.code !== 'unavailable') return this.reject(operation, error);
    this.log.warn(`${type} ${id}: ${String(error)}`);
    const attempts = await this.queue.postpone(id);
    if (attempts < MAX_ATTEMPTS || error instanceof ApiError || isUnavailable(error)) return;
    await this.queue.fail(id, BATCH_FAILED);
  }

  /** Fails an operation whose batch has crashed several processes. If undoing crashed them, the rest is not undone. */
  private async abandon(operation: ClaimedOperation): Promise<void> {
    this.log.warn(`${operation.type} ${operation.id} crashed ${operation.lost} processes in a row`);
    if (operation.error === null) await this.queue.fail(operation.id, BATCH_FAILED);
    else await this.end(operation, 'failed', await this.types.reportOf(operation));
  }

  private async reject({ id, type }: ClaimedOperation, error: ApiError): Promise<void> {
    // If the container is not found, the user has lost access to it.
    const { code, message } = error.code === 'not_found' ? forbidden('access to the container') : error;
    this.log.warn(`${type} ${id} was rejected: ${message}`);
    await this.queue.fail(id, { code, message });
  }
}
