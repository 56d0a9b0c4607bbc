import { Injectable } from '@nestjs/common';
import type { Actor, ResourceScope } from '../context/actor.js';
import type { Kind } from '../../common/kinds.js';
import type { JsonRecord } from '../../common/texts/json.js';

/** A status change that has been requested and not been written yet. */
export interface RequestedTransition {
  kind: Kind;
  to: string;
  /** The entity after the change, by column names. */
  merged: JsonRecord & { id: string };
  /** The approved parts of the entity that change with the transition. */
  touched: readonly string[];
}

/** A reason why a transition is not allowed. */
export interface TransitionObstacle {
  code: string;
  message: string;
}

/** The decision to allow a transition: the id of its record, if it was recorded, and the result. */
export interface GuardDecision {
  recordId: string | null;
  result: string;
}

/** An entity in a status that a guard has allowed. */
export interface GuardedEntity {
  kind: Kind;
  to: string;
  id: string;
}

/** Allows or rejects transitions of entities of one kind to one status, for a feature above that of the kind. */
export interface TransitionGuard {
  kind: Kind;
  to: string;
  /** Throws if the transition is not allowed. */
  assertAllowed(me: Actor, transition: RequestedTransition): Promise<GuardDecision>;
  /** The reasons why the transition would be rejected; records nothing. */
  obstacles(me: Actor, transition: RequestedTransition): Promise<TransitionObstacle[]>;
  /** Called after a change that invalidates the decision on which the status of the entity rests. */
  onInvalidated(me: Actor, id: string, place: ResourceScope): Promise<void>;
}

/**
 * Registry of transition guards, so that features need not know the features above them. Any error of a guard prevents
 * the transition, because none is caught.
 */
@Injectable()
export class TransitionGuards {
  private readonly guards = new Map<string, TransitionGuard>();

  register(guard: TransitionGuard): void {
    const name = nameOf(guard);
    if (this.guards.has(name)) throw new Error(`two features register a guard for ${name}`);
    this.guards.set(name, guard);
  }

  /** Called last before the write, in its transaction. Undefined if the transition has no guard. */
  async assertAllowed(me: Actor, transition: RequestedTransition): Promise<GuardDecision | undefined> {
    return this.guards.get(nameOf(transition))?.assertAllowed(me, transition);
  }

  async onInvalidated(me: Actor, entity: GuardedEntity, place: ResourceScope): Promise<void> {
    await this.guards.get(nameOf(entity))?.onInvalidated(me, entity.id, place);
  }

  async obstacles(me: Actor, transition: RequestedTransition): Promise<TransitionObstacle[]> {
    return (await this.guards.get(nameOf(transition))?.obstacles(me, transition)) ?? [];
  }
}

const nameOf = ({ kind, to }: { kind: Kind; to: string }): string => `${kind} to ${to}`;
