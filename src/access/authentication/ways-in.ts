import { Injectable } from '@nestjs/common';

type AfterLoss = (userId: string) => Promise<void>;
type CountOf = (userId: string) => Promise<number>;

/** Counts the ways in which users can sign in, so that none removes the last one. Each kind of credential registers itself. */
@Injectable()
export class WaysIn {
  private readonly sources: CountOf[] = [];
  private readonly checks: AfterLoss[] = [];

  provide(countOf: CountOf): void {
    this.sources.push(countOf);
  }

  /** Registers a check after the loss of a way in, in its transaction; it throws if the loss cannot be. */
  afterLoss(check: AfterLoss): void {
    this.checks.push(check);
  }

  /** Call this after a credential of the user was removed. */
  async assertMayLose(userId: string): Promise<void> {
    for (const check of this.checks) await check(userId);
  }

  async countOf(userId: string): Promise<number> {
    let count = 0;
    for (const countOf of this.sources) count += await countOf(userId);
    return count;
  }
}
