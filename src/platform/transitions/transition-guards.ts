import { Injectable } from '@nestjs/common';
import type { Actor } from '../events/actor.js';
import type { Kind } from '../../common/kinds.js';
import type { JsonRecord } from '../../common/json.js';

/** A status change that is about to be made. */
export interface RequestedTransition {
  kind: Kind;
  to: string;
  /** The entity after the change, by column names. */
  merged: JsonRecord & { id: string };
  /** The parts of what is approved of it that change with the move. */
  touched: readonly string[];
}

/** What stands in the way of a move. */
export interface TransitionObstacle {
  code: string;
  message: string;
}

/** By what a move was let through: the record of the decision, if one was kept, and what it came to. */
export interface GuardDecision {
  recordId: string | null;
  result: string;
}

/** An area that may hold back moves of an area below it. */
export interface TransitionGuard {
  kind: Kind;
  to: string;
  /** Lets the move pass, or throws. */
  assertAllowed(me: Actor, move: RequestedTransition): Promise<GuardDecision>;
  /** What would hold the move back; keeps no record of having been asked. */
  obstacles(me: Actor, move: RequestedTransition): Promise<TransitionObstacle[]>;
}

/**
 * The panel on which areas above say which moves of the areas below need their consent. A gatekeeper that fails holds
 * the move back like one that refuses: nothing here catches anything.
 */
@Injectable()
export class TransitionGuards {
  private readonly keepers = new Map<string, TransitionGuard>();

  register(keeper: TransitionGuard): void {
    const gate = nameOf(keeper);
    if (this.keepers.has(gate)) throw new Error(`two features register a guard for ${gate}`);
    this.keepers.set(gate, keeper);
  }

  /** The last question before the write, inside its transaction. */
  async assertAllowed(me: Actor, move: RequestedTransition): Promise<GuardDecision | undefined> {
    return this.keepers.get(nameOf(move))?.assertAllowed(me, move);
  }

  async obstacles(me: Actor, move: RequestedTransition): Promise<TransitionObstacle[]> {
    return (await this.keepers.get(nameOf(move))?.obstacles(me, move)) ?? [];
  }
}

const nameOf = ({ kind, to }: { kind: Kind; to: string }): string => `${kind} to ${to}`;
