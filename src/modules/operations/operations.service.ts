import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Closures } from '../../access/closures.js';
import type { OperationId } from '../../access/permissions.js';
import { conflict, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import { AcceptedOperation } from '../../platform/http/accepted-operation.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { Listing } from '../../platform/listing/listing.js';
import { operationList } from './operation.list.js';
import { OperationTypes, type OperationType, type OperationWork } from './operation-types.js';
import { OperationsRepository } from './operations.repository.js';
import { OperationsWorker } from './operations.worker.js';

const LOOK_MS = 200;

/** Work for an operation. */
export interface LongWork {
  type: OperationId;
  /** The endeavour or organization that it is about. */
  containerId: string;
  /** The organization against whose limit of running operations it counts: the container itself, or its home. */
  organizationId: string | null;
  /** The input of the steps, as JSON. */
  parameters: Record<string, unknown>;
  /** The number of items to process. */
  total: number;
  /** The containers that reject other writes until it has ended. */
  closes: { endeavourIds: readonly string[]; organizationId?: string };
  /** Whether it can be stopped halfway. */
  isCancelable?: boolean;
  /** The id of the operation, if another entity is named after it. */
  id?: string;
}

/** Starts work that takes longer than a request, and reports its progress. */
@Injectable()
export class OperationsService {
  constructor(
    private readonly closures: Closures,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly listing: Listing,
    private readonly repository: OperationsRepository,
    private readonly settings: Settings,
    private readonly types: OperationTypes,
    private readonly worker: OperationsWorker,
  ) {}

  /** Registers the implementation of a type; called by the service of its feature. */
  register(type: OperationType): void {
    this.types.register(type);
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, operationList, query);
  }

  /** First waits for the end, at most that many seconds. */
  async get(me: Caller, id: string, seconds = 0, fields?: FieldNames): Promise<Representation> {
    const operation = await this.repository.read(me, id, fields);
    if (operation === undefined) throw notFound();
    if (seconds === 0) return operation;
    await this.untilFinished(id, seconds);
    return (await this.repository.read(me, id, fields)) ?? operation;
  }

  /**
   * Does short work within the request, and leaves other work to the workers. The caller has locked the containers;
   * from here on they reject writes until the operation has ended.
   */
  async run(me: Caller, work: LongWork): Promise<Representation | object> {
    return work.total <= this.settings.OPERATION_THRESHOLD ? this.runNow(me, work) : this.start(me, work);
  }

  /** Leaves the work to the workers, and answers 202. */
  async start(
    me: Caller,
    {
      type,
      containerId,
      organizationId,
      parameters,
      total,
      closes,
      isCancelable = false,
      id = newId('operation'),
    }: LongWork,
  ): Promise<AcceptedOperation> {
    const requestId = this.context.requestId ?? null;
    await this.repository.insert(me, {
      id,
      type: this.types.get(type).name,
      containerId,
      organizationId,
      isCancelable,
      parameters,
      total,
      requestId,
    });
    await this.closures.close(id, closes);
    this.database.afterCommit(() => this.worker.wake());
    return new AcceptedOperation(await this.get(me, id), `/api/v1/operations/${id}`);
  }

  /** Removes the reference of earlier operations, and of this one, to a container that is erased. */
  forgetContainer(containerId: string, operationId: string): Promise<void> {
    return this.repository.forgetContainer(containerId, operationId);
  }

  /** Deletes the operations on a container that is erased together with the one that contains it. */
  deleteOf(containerId: string): Promise<void> {
    return this.repository.deleteOf(containerId);
  }

  /** 409 if it has ended, or cannot be canceled. */
  async cancel(me: Caller, id: string): Promise<Representation> {
    const found = await this.repository.find(me, id);
    if (found === undefined) throw notFound();
    const { status, isCancelable } = found;
    if (status !== 'queued' && status !== 'running') throw conflict('finished', 'The operation has already finished.');
    if (!isCancelable) throw conflict('not_cancelable', 'Operations of this type cannot be canceled.');
    if (status === 'queued') await this.repository.finish(id, 'canceled', null);
    else await this.repository.requestCancel(id);
    this.database.afterCommit(() => this.worker.wake());
    return this.get(me, id);
  }

  /** Waits for the end of the operation, at most that many seconds, without holding a connection. */
  async untilFinished(id: string, seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    while (!(await this.repository.isFinished(id)) && performance.now() < end) await pause(LOOK_MS);
  }

  private async runNow(me: Caller, { type, containerId, parameters }: LongWork): Promise<Representation | object> {
    const how = this.types.get(type);
    const work: OperationWork = { id: '', containerId, parameters, startedAt: new Date(), tally: {} };
    while ((await how.step(me, work, this.settings.OPERATION_PIECE)) > 0) continue;
    return how.finish(me, work);
  }
}
