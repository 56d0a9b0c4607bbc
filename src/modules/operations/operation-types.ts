import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import type { OperationId } from '../../access/permissions.js';
import type { Representation } from '../../platform/database/view.js';

/** An operation as the code that does its pieces sees it. */
export interface Work {
  id: string;
  /** The endeavour or organization that it is about; empty where there is none. */
  containerId: string;
  /** What the request asked for, as it was given to `OperationsService.start`. */
  parameters: Readonly<Record<string, unknown>>;
  /** When it was started: the time that everything it does is stamped with. */
  startedAt: Date;
  /** Counts that are kept from piece to piece; a piece changes them in place. */
  tally: Record<string, number>;
}

/**
 * How one type of long operation is done. Every method runs in the transaction of one piece, and must carry on from
 * whatever state the piece before has left: what it needs to know is in the database and in {@link Work}.
 *
 *     constructor(operations: OperationsService) { operations.register({ name: 'endeavours_archive', ... }); }
 */
export interface OperationType {
  /** The operation that starts it, which is also what clients see as its `type`. */
  name: OperationId;
  /** Refuses (403, 404) where the starter may no longer do this; asked before every piece. */
  authorize(me: Caller, work: Work): Promise<unknown>;
  /** Processes one batch of at most `limit` items and returns their number; 0 if nothing is left. */
  step(me: Caller, work: Work, limit: number): Promise<number>;
  /** The last piece, when `step` has nothing left; answers with the result. */
  finish(me: Caller, work: Work): Promise<Representation | object>;
  /**
   * Undoes at most `limit` items of an operation that was rejected midway, and returns their number; 0 if everything is
   * restored. Without this method, the completed part is kept.
   */
  undo?(work: Work, limit: number): Promise<number>;
}

/** The registry of what can be done as an operation; each feature registers its own types when modules start. */
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
}
