import { Injectable } from '@nestjs/common';
import type { Actor } from '../changes/actor.js';
import type { Kind } from '../../common/kinds.js';
import type { JsonRecord } from '../../common/json.js';

/** A status change that is about to be made. */
export interface Move {
  kind: Kind;
  to: string;
  /** The entity after the change, by column names. */
  merged: JsonRecord & { id: string };
  /** The parts of what is approved of it that change with the move. */
  touched: readonly string[];
}

/** What stands in the way of a move. */
export interface Obstacle {
  code: string;
  message: string;
}

/** By what a move was let through: the record of the decision, if one was kept, and what it came to. */
export interface Passage {
  recordId: string | null;
  result: string;
}

/** An area that may hold back moves of an area below it. */
export interface Gatekeeper {
  kind: Kind;
  to: string;
  /** Lets the move pass, or throws. */
  pass(me: Actor, move: Move): Promise<Passage>;
  /** What would hold the move back; keeps no record of having been asked. */
  obstacles(me: Actor, move: Move): Promise<Obstacle[]>;
}

/**
 * The panel on which areas above say which moves of the areas below need their consent. A gatekeeper that fails holds
 * the move back like one that refuses: nothing here catches anything.
 */
@Injectable()
export class Gates {
  private readonly keepers = new Map<string, Gatekeeper>();

  register(keeper: Gatekeeper): void {
    const gate = nameOf(keeper);
    if (this.keepers.has(gate)) throw new Error(`two features register a guard for ${gate}`);
    this.keepers.set(gate, keeper);
  }

  /** The last question before the write, inside its transaction. */
  async pass(me: Actor, move: Move): Promise<Passage | undefined> {
    return this.keepers.get(nameOf(move))?.pass(me, move);
  }

  async obstacles(me: Actor, move: Move): Promise<Obstacle[]> {
    return (await this.keepers.get(nameOf(move))?.obstacles(me, move)) ?? [];
  }
}

const nameOf = ({ kind, to }: { kind: Kind; to: string }): string => `${kind} to ${to}`;
