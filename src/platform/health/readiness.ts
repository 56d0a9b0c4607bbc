import { Injectable } from '@nestjs/common';

/** Whether this process still wants new work: false from the moment it is told to stop. */
@Injectable()
export class Readiness {
  private isLeaving = false;

  get isShuttingDown(): boolean {
    return this.isLeaving;
  }

  leave(): void {
    this.isLeaving = true;
  }
}
