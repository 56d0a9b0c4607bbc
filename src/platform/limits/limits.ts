import { BlockList, isIP, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { RequestContext } from '../context/request-context.js';
import { Counters, type WindowCount } from './counters.js';
import { rateHeaders } from './rate-headers.js';
import { rateLimited, type Limit, type WindowLimit } from './rate-limited.js';

/**
 * Enforces limits over all replicas. Counts stay even if the request fails, except with {@link consumeInTransaction}.
 * Client addresses are counted by network (`networkOf`); those of trusted servers (`LIMIT_EXEMPT_ADDRESSES`) are not
 * counted.
 */
@Injectable()
export class Limits {
  private exempt: { networks: readonly string[]; list: BlockList } = { networks: [], list: new BlockList() };

  constructor(
    private readonly counters: Counters,
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly settings: Settings,
  ) {}

  /** Whether the request comes from a trusted server, which signs people in on their behalf. */
  get isExempt(): boolean {
    const address = this.context.clientAddress ?? '';
    return isIP(address) > 0 && this.exemptList.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** Counts this request against the limit of its client address; 429 over the limit. */
  async consumeForAddress(limit: WindowLimit): Promise<void> {
    if (this.isExempt) return;
    this.enforce(limit, await this.countInNewTransaction(limit, this.context.clientNetwork));
  }

  /** 429 if the client address has used up the limit; counts nothing. */
  async assertLeftForAddress(limit: WindowLimit): Promise<void> {
    if (this.isExempt) return;
    const { count, endsIn } = await this.counters.read(limit.name, this.context.clientNetwork);
    if (count >= limit.most) this.enforce(limit, { count: count + 1, endsIn });
  }

  /**
   * Counts the outcome of an attempt against the limit of failures of its client address: 429 for failures over the
   * limit, and for successes after it has been reached, so that of concurrent attempts no more than the limit learn
   * whether they were right. Both outcomes execute the same statement.
   */
  async settleForAddress(limit: WindowLimit, { isFailure }: { isFailure: boolean }): Promise<void> {
    if (this.isExempt) return;
    const { count, endsIn } = await this.database.inNewTransaction(() =>
      this.counters.count(limit.name, this.context.clientNetwork, limit.seconds, isFailure ? 1 : 0),
    );
    const isOver = isFailure ? count > limit.most : count >= limit.most;
    this.enforce(limit, { count: isOver ? limit.most + 1 : count, endsIn });
  }

  /** Counts in the current transaction, so that only successful requests count; 429 over the limit. */
  async consumeInTransaction(limit: WindowLimit, subject: string, by = 1): Promise<void> {
    this.enforce(limit, await this.counters.count(limit.name, subject, limit.seconds, by));
  }

  /** Counts this request against the limit of a subject; 429 over the limit. */
  async consume(limit: WindowLimit, subject: string): Promise<void> {
    this.enforce(limit, await this.countInNewTransaction(limit, subject));
  }

  /** Counts an event whose limit must not be observable; returns false when the limit is exceeded. */
  async tryConsume(limit: Pick<WindowLimit, 'name' | 'most' | 'seconds'>, subject: string): Promise<boolean> {
    const { count } = await this.countInNewTransaction(limit, subject);
    return count <= limit.most;
  }

  /** Like {@link tryConsume}, but counts in the current transaction. */
  async tryConsumeInTransaction(
    { name, most, seconds }: Pick<WindowLimit, 'name' | 'most' | 'seconds'>,
    subject: string,
  ): Promise<boolean> {
    const { count } = await this.counters.count(name, subject, seconds);
    return count <= most;
  }

  /** Counts an attempt at a secret per subject and client address, so that an attacker cannot lock its owner out. */
  async takeAttempt(limit: Limit, subject: string): Promise<void> {
    const wait = await this.database.inNewTransaction(() => this.counters.take(limit.name, this.from(subject)));
    if (wait > 0) throw rateLimited(limit, wait);
  }

  /** Counts a failure until {@link resetAttempts} takes it back; 429 over the limit, except for known addresses. */
  async countFailure(limit: WindowLimit, subject: string, isKnown: boolean): Promise<void> {
    const { count, endsIn } = await this.countInNewTransaction(limit, subject);
    if (count > limit.most && !isKnown) throw rateLimited(limit, endsIn);
  }

  /** Resets the delays after a successful attempt, and takes back its failure. */
  async resetAttempts(name: string, failures: string, subject: string): Promise<void> {
    await this.counters.forget(name, this.from(subject));
    await this.counters.takeBack(failures, subject);
  }

  /** Takes back a failure that turned out not to be one. */
  takeBack({ name }: Pick<Limit, 'name'>, subject: string): Promise<void> {
    return this.counters.takeBack(name, subject);
  }

  /** The subject combined with the client address. */
  from(subject: string): string {
    return `${subject} ${this.context.clientNetwork}`;
  }

  /** Made anew when the setting is reloaded. */
  private get exemptList(): BlockList {
    const { LIMIT_EXEMPT_ADDRESSES: networks } = this.settings;
    if (networks !== this.exempt.networks) this.exempt = { networks, list: listOf(networks) };
    return this.exempt.list;
  }

  private enforce(limit: WindowLimit, { count, endsIn }: WindowCount): void {
    const headers = rateHeaders(limit, Math.max(0, limit.most - count), endsIn);
    for (const [name, value] of Object.entries(headers)) this.context.setHeader(name, value);
    if (count > limit.most) throw rateLimited(limit, endsIn);
  }

  private countInNewTransaction(
    { name, seconds }: Pick<WindowLimit, 'name' | 'seconds'>,
    subject: string,
  ): Promise<WindowCount> {
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
