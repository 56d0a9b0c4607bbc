import { BlockList, isIP, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { RequestContext } from '../http/request-context.js';
import { Counters, type WindowCount } from './counters.js';
import { rateHeaders, type Limit } from './rate-headers.js';

export const rateLimited = (retryAfter: number): ApiError =>
  new ApiError('rate_limited', 'Too many requests of this kind; try again later.', undefined, retryAfter);

/**
 * Enforces limits over all replicas. Counts stay even if the request fails, except with {@link consumeInTransaction}.
 * Client addresses are counted by network (`networkOf`); those of trusted servers (`LIMIT_EXEMPT_ADDRESSES`) are not
 * counted.
 */
@Injectable()
export class Limits {
  private readonly exempt: BlockList;

  constructor(
    private readonly counters: Counters,
    private readonly database: Database,
    private readonly context: RequestContext,
    { LIMIT_EXEMPT_ADDRESSES }: Settings,
  ) {
    this.exempt = listOf(LIMIT_EXEMPT_ADDRESSES);
  }

  /** Whether the request comes from a trusted server, which signs people in on their behalf. */
  get isExempt(): boolean {
    const address = this.context.clientAddress ?? '';
    return isIP(address) > 0 && this.exempt.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** Counts this request against the limit of its client address; 429 over the limit. */
  async consumeForAddress(limit: Limit): Promise<void> {
    if (this.isExempt) return;
    this.enforce(limit, await this.countInNewTransaction(limit, this.context.clientNetwork));
  }

  /** Counts in the current transaction, so that only successful requests count; 429 over the limit. */
  async consumeInTransaction(limit: Limit, subject: string): Promise<void> {
    this.enforce(limit, await this.counters.count(limit.name, subject, limit.seconds));
  }

  /** Counts an event whose limit must not be observable; returns false when the limit is exceeded. */
  async tryConsume(limit: Limit, subject: string): Promise<boolean> {
    const { count } = await this.countInNewTransaction(limit, subject);
    return count <= limit.most;
  }

  /** Like {@link tryConsume}, but counts in the current transaction. */
  async tryConsumeInTransaction({ name, most, seconds }: Limit, subject: string): Promise<boolean> {
    const { count } = await this.counters.count(name, subject, seconds);
    return count <= most;
  }

  /** Counts an attempt at a secret per subject and client address, so that an attacker cannot lock its owner out. */
  async takeAttempt(name: string, subject: string): Promise<void> {
    const wait = await this.database.inNewTransaction(() => this.counters.take(name, this.from(subject)));
    if (wait > 0) throw rateLimited(wait);
  }

  /** Counts a failure until {@link resetAttempts} takes it back; 429 over the limit, except for known addresses. */
  async countFailure(limit: Limit, subject: string, isKnown: boolean): Promise<void> {
    const { count, endsIn } = await this.countInNewTransaction(limit, subject);
    if (count > limit.most && !isKnown) throw rateLimited(endsIn);
  }

  /** Resets the delays after a successful attempt, and takes back its failure. */
  async resetAttempts(name: string, failures: string, subject: string): Promise<void> {
    await this.counters.forget(name, this.from(subject));
    await this.counters.takeBack(failures, subject);
  }

  /** The subject combined with the client address. */
  from(subject: string): string {
    return `${subject} ${this.context.clientNetwork}`;
  }

  private enforce(limit: Limit, { count, endsIn }: WindowCount): void {
    const headers = rateHeaders(limit, Math.max(0, limit.most - count), endsIn);
    for (const [name, value] of Object.entries(headers)) this.context.setHeader(name, value);
    if (count > limit.most) throw rateLimited(endsIn);
  }

  private countInNewTransaction({ name, seconds }: Limit, subject: string): Promise<WindowCount> {
    return this.database.inNewTransaction(() => this.counters.count(name, subject, seconds));
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}
