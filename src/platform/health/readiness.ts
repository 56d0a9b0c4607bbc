import { Injectable } from '@nestjs/common';

/** Knows whether this process accepts new work; it does not from the beginning of its shutdown. */
@Injectable()
export class Readiness {
  private isLeaving = false;
  private readonly listeners: (() => void)[] = [];

  get isShuttingDown(): boolean {
    return this.isLeaving;
  }

  /** Registers a listener for the beginning of the shutdown. */
  onLeaving(listener: () => void): void {
    this.listeners.push(listener);
  }

  leave(): void {
    this.isLeaving = true;
    for (const listener of this.listeners) listener();
  }
}
