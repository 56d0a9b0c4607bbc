import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;

/** Tells a loop when it has run so long that other requests should have their turn. */
export class Turns {
  private since = performance.now();

  /** Whether the loop has to await {@link next}; cheap enough for every item. */
  get isOver(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  /** Resolves after the other work of the event loop. */
  async next(): Promise<void> {
    await setImmediate();
    this.since = performance.now();
  }
}
