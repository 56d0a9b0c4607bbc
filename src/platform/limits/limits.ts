import { Injectable } from '@nestjs/common';
import { Refusal } from '../../common/errors.js';
import { Database } from '../database/database.js';
import { RequestFacts } from '../http/request-facts.js';
import { Counters } from './counters.js';
import { rateHeaders, type Limit } from './rate-headers.js';

export const rateLimited = (retryAfter: number): Refusal =>
  new Refusal('rate_limited', 'Too many requests of this sort; try again later.', undefined, retryAfter);

/** Limits that hold over all replicas. What is counted stays counted, whatever becomes of the request. */
@Injectable()
export class Limits {
  constructor(
    private readonly counters: Counters,
    private readonly database: Database,
    private readonly facts: RequestFacts,
  ) {}

  /** Counts this request against what its client address may do; 429 once that is spent. */
  async spendAddress(limit: Limit): Promise<void> {
    const { count, endsIn } = await this.counted(limit, this.address);
    const headers = rateHeaders(limit, Math.max(0, limit.most - count), endsIn);
    for (const [name, value] of Object.entries(headers)) this.facts.answerHeader(name, value);
    if (count > limit.most) throw rateLimited(endsIn);
  }

  /** Counts something that nobody must notice to be limited: false once the limit is spent. */
  async hasLeft(limit: Limit, subject: string): Promise<boolean> {
    const { count } = await this.counted(limit, subject);
    return count <= limit.most;
  }

  /** Counts a guess at a secret, per subject and client address, so that no stranger can lock its owner out. */
  async takeTry(name: string, subject: string): Promise<void> {
    const wait = await this.database.separately(() => this.counters.take(name, `${subject} ${this.address}`));
    if (wait > 0) throw rateLimited(wait);
  }

  /** The guess was right: the next mistake starts from the beginning. */
  async forgetTries(name: string, subject: string): Promise<void> {
    await this.counters.forget(name, `${subject} ${this.address}`);
  }

  private counted({ name, seconds }: Limit, subject: string): Promise<{ count: number; endsIn: number }> {
    return this.database.separately(() => this.counters.count(name, subject, seconds));
  }

  private get address(): string {
    return this.facts.clientAddress ?? '';
  }
}
