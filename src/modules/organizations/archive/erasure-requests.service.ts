import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ApiError, conflict } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database, type EntityTarget } from '../../../platform/database/database.js';
import type { LockableRow } from '../../../platform/database/views/rows.js';
import type { View } from '../../../platform/database/views/view.js';
import type { ResourceScope } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { OperationsService, type LongWork } from '../../operations/operations.service.js';
import { OwnerMails } from './owner-mails.js';

const DAY_MS = 86_400_000;

/** A container that can be erased. */
interface ErasableRow extends LockableRow {
  name: string;
  status: string;
  erasureAt?: Date | null;
  closedBy: string | null;
}

/** One kind of containers. */
export interface ErasableKind<E extends ErasableRow> {
  entity: EntityTarget<E>;
  view: View;
  /** The operation that erases. */
  operation: LongWork['type'];
}

/** Delays the erasure of a container, during which each of its owners can stop it. */
@Injectable()
export class ErasureRequests {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly mails: OwnerMails,
    private readonly operations: OperationsService,
    private readonly settings: Settings,
    private readonly writer: ResourceWriter,
  ) {}

  /** Starts the erasure of a locked container after the delay, and tells its owners. */
  async start<E extends ErasableRow>(
    me: Caller,
    { entity, view }: ErasableKind<E>,
    { row, place }: LockedResource<E>,
    work: Omit<LongWork, 'parameters' | 'startsAt'>,
  ): Promise<AcceptedOperation> {
    if (row.erasureAt) {
      throw conflict(
        'erasure_requested',
        `The erasure is already requested, for ${row.erasureAt.toISOString()}; send DELETE to ${erasurePathOf(row.id)} to stop it.`,
      );
    }
    const days = this.settings.ERASURE_DAYS;
    const erasureAt = new Date(Date.now() + days * DAY_MS);
    const values = {
      date: erasureAt.toISOString().slice(0, 10),
      path: erasurePathOf(row.id, days === 0 ? '{id}' : row.id),
    };
    await this.mails.send(me, 'container_erasure', row, values, { outlives: days === 0 });
    if (days === 0) return this.operations.start(me, { ...work, parameters: {} });
    await this.writer.patch(me, view, entity, { current: row, changes: { erasureAt } as Partial<E>, place });
    return this.operations.start(me, { ...work, parameters: { is_delayed: true }, startsAt: erasureAt });
  }

  /** Stops the erasure of a locked container; 409 if none is requested. */
  async stop<E extends ErasableRow>(me: Caller, kind: ErasableKind<E>, locked: LockedResource<E>): Promise<void> {
    this.access.assertIfMatch(locked);
    this.access.assertNotClosed(locked);
    if (!(await this.stopIfRequested(me, kind, locked))) {
      throw conflict('no_erasure', 'No erasure of this is requested.');
    }
  }

  /** Stops the erasure of a locked container that is restored; returns whether one was requested. */
  async stopIfRequested<E extends ErasableRow>(
    me: Caller,
    { entity, view, operation }: ErasableKind<E>,
    { row, place }: LockedResource<E>,
  ): Promise<boolean> {
    if (!row.erasureAt) return false;
    await this.operations.cancelQueued(operation, row.id);
    await this.writer.patch(me, view, entity, { current: row, changes: { erasureAt: null } as Partial<E>, place });
    await this.mails.send(me, 'container_erasure_stopped', row);
    return true;
  }

  /** Removes the request of an erasure that was rejected, for example because its owner lost the role. */
  async lapse<E extends ErasableRow>(
    { entity, view }: ErasableKind<E>,
    { containerId, parameters }: OperationWork,
    placeOf: (row: E) => ResourceScope,
  ): Promise<number> {
    if (parameters.is_delayed !== true) return 0;
    const row = await this.database.row(entity, containerId, { locked: true });
    await this.writer.patch(null, view, entity, {
      current: row,
      changes: { erasureAt: null } as Partial<E>,
      place: placeOf(row),
    });
    return 0;
  }

  /**
   * Begins the erasure at the first step after the delay: locks the container and calls `close`, which blocks writes.
   * Rejects if it was stopped; waits for another operation that is working on the container.
   */
  async begin<E extends ErasableRow>(
    me: Caller,
    { entity, operation }: ErasableKind<E>,
    { id, containerId, parameters }: OperationWork,
    close: (row: E) => Promise<void>,
  ): Promise<void> {
    const { closedBy } = await this.access.authorizeWithoutLock(me, operation, containerId);
    if (parameters.is_delayed !== true || closedBy === id) return;
    if (closedBy !== null) throw new ApiError('unavailable', 'Another operation is running on this container.');
    const { row } = await this.access.lockExclusively(me, operation, entity, containerId);
    if (row.status !== 'archived' || !row.erasureAt) throw conflict('no_erasure', 'The erasure was stopped.');
    await close(row);
  }
}

const erasurePathOf = (id: string, shown = id): string =>
  `/api/v1/${isId('organization', id) ? 'organizations' : 'endeavours'}/${shown}/erasure`;
