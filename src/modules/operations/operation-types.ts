import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import type { Representation } from '../../platform/database/views/view.js';

/** An operation as seen by the code of its steps. */
export interface OperationWork {
  id: string;
  /** The endeavour or organization that it is about; empty if there is none. */
  containerId: string;
  /** The input of the request, as it was passed to `OperationsService.start`. */
  parameters: Readonly<Record<string, unknown>>;
  /** The time at which the operation was created, used in everything that it writes. */
  startedAt: Date;
  /** Counters that the steps change in place and that are stored between steps. */
  tally: Record<string, number>;
}

/** An operation as it is stored, from which {@link OperationWork} is read. */
export interface StoredWork extends Pick<OperationWork, 'id' | 'parameters' | 'tally'> {
  containerId: string | null;
  createdAt: Date;
}

export const workOf = ({ id, containerId, parameters, tally, createdAt }: StoredWork): OperationWork => ({
  id,
  containerId: containerId ?? '',
  parameters,
  startedAt: createdAt,
  tally,
});

/**
 * Implements one type of long operation. Every method runs in a separate transaction and must continue from any state
 * that an earlier one left: its input is in the database and in {@link OperationWork}.
 *
 * constructor(operations: OperationsService) { operations.register({ name: 'endeavours_archive', ... }); }
 */
export interface OperationType {
  /** The operation that starts it, which clients see as its `type`. */
  name: OperationId;
  /** Rejects (403, 404) if the user who started it may no longer do this; called before every step. */
  authorize(me: Caller, work: OperationWork): Promise<unknown>;
  /** Processes one batch of at most `limit` items and returns their number; 0 if nothing is left. */
  step(me: Caller, work: OperationWork, limit: number): Promise<number>;
  /** The last step, when `step` has nothing left; returns the result. */
  finish(me: Caller, work: OperationWork): Promise<Representation | object>;
  /**
   * Undoes at most `limit` items of an operation that was rejected midway, and returns their number; 0 if everything is
   * restored. Without this method, the completed part is kept.
   */
  undo?(work: OperationWork, limit: number): Promise<number>;
  /**
   * Returns what was done so far, as the result of an operation that was canceled or has failed, in the form of the
   * result of `finish`. For types whose completed part is kept.
   */
  report?(work: OperationWork): Promise<object>;
}

/** Registry of operation types; features register theirs when modules start. */
@Injectable()
export class OperationTypes {
  private readonly byName = new Map<string, OperationType>();

  register(type: OperationType): void {
    if (this.byName.has(type.name)) throw new Error(`two operation types have the name ${type.name}`);
    this.byName.set(type.name, type);
  }

  get names(): string[] {
    return [...this.byName.keys()];
  }

  get(name: string): OperationType {
    const type = this.byName.get(name);
    if (type === undefined) throw new Error(`no operation type has the name ${name}`);
    return type;
  }

  /** Returns the JSON of what an operation did until it was canceled or failed; null if its type reports nothing. */
  async reportOf({ type, ...stored }: StoredWork & { type: string }): Promise<string | null> {
    const report = await this.byName.get(type)?.report?.(workOf(stored));
    return report === undefined ? null : JSON.stringify(report);
  }
}
