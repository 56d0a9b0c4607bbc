import { Injectable } from '@nestjs/common';

/** Knows whether this process accepts new work; it does not from the beginning of its shutdown. */
@Injectable()
export class Readiness {
  private isLeaving = false;
  private hasSuccessor = false;
  private readonly listeners: (() => void)[] = [];

  get isShuttingDown(): boolean {
    return this.isLeaving;
  }

  /** Whether nobody on this port accepts new work any more. */
  get isClosed(): boolean {
    return this.isLeaving && !this.hasSuccessor;
  }

  /** Registers a listener for the beginning of the shutdown. */
  onLeaving(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Begins the shutdown; with `hasSuccessor`, another process listens on the same port already. */
  leave({ hasSuccessor = false } = {}): void {
    this.isLeaving = true;
    this.hasSuccessor = hasSuccessor;
    for (const listener of this.listeners) listener();
  }
}
