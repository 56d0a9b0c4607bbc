import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Callers } from '../../../access/authentication/callers.js';
import { Settings } from '../../../platform/config/settings.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Readiness } from '../../../platform/health/readiness.js';
import { FeedHead } from './feed-head.js';
import { FeedRepository } from './feed.repository.js';

/** The interval of session checks; a stream ends within 5 s of the end of its session. */
const CHECK_MS = 2_000;

/** A request that waits for events. */
export interface Waiter {
  readonly userId: string;
  /** The id of the session, or the hash of the access token. */
  readonly signInId: string;
  /** Called when new events may be available. */
  wake(): void;
  /** Called when the session has ended or the process is shutting down. */
  end(): void;
}

/**
 * Wakes the requests of this process that wait for events. One statement polls for new events for all of them, and another
 * one determines the users who may be affected, so a waiting request needs no connection. Without waiting requests, no
 * statement is sent.
 */
@Injectable()
export class FeedWatch implements OnModuleDestroy {
  private readonly log = new Logger('FeedWatch');
  private readonly waiters = new Set<Waiter>();
  private readonly asleep = new Map<Waiter, number>();
  private timer: NodeJS.Timeout | undefined;
  private lastSeen = 0;
  private checkedAt = 0;

  constructor(
    private readonly callers: Callers,
    private readonly context: RequestContext,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly settings: Settings,
    private readonly readiness: Readiness,
    metrics: Metrics,
  ) {
    readiness.onLeaving(() => this.endAll());
    metrics.gauge('feed_waits', 'Streams and waiting reads of the feed.', () => this.waiters.size);
  }

  onModuleDestroy(): void {
    this.endAll();
    clearTimeout(this.timer);
  }

  /** The number of waiting requests of a user in this process. */
  countOf(userId: string): number {
    let count = 0;
    for (const waiter of this.waiters) if (waiter.userId === userId) count += 1;
    return count;
  }

  /** Ends the waiter immediately if the process is shutting down, because it would delay the shutdown. */
  add(waiter: Waiter): void {
    if (this.readiness.isShuttingDown) {
      waiter.end();
      return;
    }
    this.waiters.add(waiter);
    // Polling is for all waiting clients, so it runs outside of the context of the first request and its restrictions.
    this.timer ??= this.context.outside(() => this.schedulePoll());
  }

  remove(waiter: Waiter): void {
    this.waiters.delete(waiter);
    this.asleep.delete(waiter);
  }

  /** Registers a waiter that has received all events up to that sequence; it is woken once when more are available. */
  sleep(waiter: Waiter, received: number): void {
    if (!this.waiters.has(waiter)) return;
    if (received < this.lastSeen) waiter.wake();
    else this.asleep.set(waiter, received);
  }

  private endAll(): void {
    for (const waiter of this.waiters) waiter.end();
  }

  private async poll(): Promise<void> {
    try {
      await this.wakeAffected();
      if (Date.now() - this.checkedAt >= CHECK_MS) await this.endSignedOut();
    } catch (error) {
      // The database is temporarily unavailable; clients continue to wait.
      this.log.warn(`Polling for events failed and will be retried: ${String(error)}`);
    }
    this.timer = this.waiters.size === 0 ? undefined : this.schedulePoll();
  }

  private schedulePoll(): NodeJS.Timeout {
    return setTimeout(() => void this.poll(), this.settings.EVENTS_POLL_MS).unref();
  }

  private async wakeAffected(): Promise<void> {
    const head = await this.head.assignSequences();
    if (head <= this.lastSeen) return;
    const asleep = [...this.asleep];
    const after = Math.min(head, ...asleep.map(([, received]) => received));
    // From here on, `sleep` wakes a waiter that has received less immediately.
    this.lastSeen = head;
    const users = [...new Set(asleep.map(([{ userId }]) => userId))];
    const affected = users.length === 0 ? new Set() : new Set(await this.feed.affectedUsers(after, head, users));
    for (const [waiter, received] of asleep) {
      if (!this.asleep.has(waiter)) continue;
      if (!affected.has(waiter.userId)) this.asleep.set(waiter, head);
      else if (received < head) {
        this.asleep.delete(waiter);
        waiter.wake();
      }
    }
  }

  private async endSignedOut(): Promise<void> {
    this.checkedAt = Date.now();
    // The copy excludes clients that arrive while the statement runs.
    const waiters = [...this.waiters];
    const valid = await this.callers.stillSignedIn([...new Set(waiters.map(({ signInId }) => signInId))]);
    for (const waiter of waiters) if (!valid.has(waiter.signInId)) waiter.end();
  }
}
