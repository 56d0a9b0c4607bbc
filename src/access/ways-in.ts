import { Injectable } from '@nestjs/common';

type CountOf = (userId: string) => Promise<number>;

/** Counts the ways in which users can sign in, so that none removes the last one. Each kind of credential registers itself. */
@Injectable()
export class WaysIn {
  private readonly sources: CountOf[] = [];

  provide(countOf: CountOf): void {
    this.sources.push(countOf);
  }

  async countOf(userId: string): Promise<number> {
    let count = 0;
    for (const countOf of this.sources) count += await countOf(userId);
    return count;
  }
}
