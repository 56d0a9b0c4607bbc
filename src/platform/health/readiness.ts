import { Injectable } from '@nestjs/common';

/** Whether this process accepts new work: false from the moment it is told to stop. */
@Injectable()
export class Readiness {
  private isLeaving = false;
  private readonly tasks: (() => void)[] = [];

  get isShuttingDown(): boolean {
    return this.isLeaving;
  }

  /** Runs the task when the process is told to stop. */
  onLeaving(task: () => void): void {
    this.tasks.push(task);
  }

  leave(): void {
    this.isLeaving = true;
    for (const task of this.tasks) task();
  }
}
