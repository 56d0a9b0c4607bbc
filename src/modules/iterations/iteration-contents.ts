import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';

/** Moves at most that many open things from an iteration to another one, or out of all; returns their number. */
type MoveOpen = (me: Caller, from: string, to: string | null, limit: number) => Promise<number>;

/** The kinds of work in iterations; their features register how it is moved. */
@Injectable()
export class IterationContents {
  private readonly kinds: MoveOpen[] = [];

  register(move: MoveOpen): void {
    this.kinds.push(move);
  }

  /** Moves at most that many open things of one kind; returns their number, 0 if none is left. */
  async moveOpen(me: Caller, from: string, to: string | null, limit: number): Promise<number> {
    for (const move of this.kinds) {
      const moved = await move(me, from, to, limit);
      if (moved > 0) return moved;
    }
    return 0;
  }
}
