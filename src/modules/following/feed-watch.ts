import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Callers } from '../../access/callers.js';
import { Settings } from '../../platform/config/settings.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { Readiness } from '../../platform/health/readiness.js';
import { FeedHead } from './feed-head.js';
import { FeedRepository } from './feed.repository.js';

/** How often the sessions of waiting clients are checked; streams end within 5 s of their session. */
const CHECK_MS = 2_000;

/** A request that waits for events. */
export interface Waiter {
  readonly userId: string;
  /** The id of its session, or the hash of its access token. */
  readonly signInId: string;
  /** Called when there may be new events. */
  wake(): void;
  /** The session has ended, or the process is shutting down. */
  end(): void;
}

/**
 * Wakes the requests of this process that wait for events. One statement looks for new events for all of them, and
 * another one determines who may be affected, so a waiting request needs no connection. No statement is sent while no
 * request waits.
 */
@Injectable()
export class FeedWatch implements OnModuleDestroy {
  private readonly log = new Logger('FeedWatch');
  private readonly waiters = new Set<Waiter>();
  private readonly asleep = new Map<Waiter, number>();
  private timer: NodeJS.Timeout | undefined;
  private seen = 0;
  private checkedAt = 0;

  constructor(
    private readonly callers: Callers,
    private readonly context: RequestContext,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly settings: Settings,
    readiness: Readiness,
  ) {
    readiness.onLeaving(() => this.endAll());
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

  add(waiter: Waiter): void {
    this.waiters.add(waiter);
    // The watch works for all waiting clients, so the restrictions of the first request must not apply to it.
    this.timer ??= this.context.outside(() => this.lookSoon());
  }

  remove(waiter: Waiter): void {
    this.waiters.delete(waiter);
    this.asleep.delete(waiter);
  }

  /** Registers a waiter that has seen everything up to that sequence; it is woken once when there is more. */
  sleep(waiter: Waiter, seen: number): void {
    if (!this.waiters.has(waiter)) return;
    if (seen < this.seen) waiter.wake();
    else this.asleep.set(waiter, seen);
  }

  private endAll(): void {
    for (const waiter of this.waiters) waiter.end();
  }

  private async look(): Promise<void> {
    try {
      await this.wakeConcerned();
      if (Date.now() - this.checkedAt >= CHECK_MS) await this.endOver();
    } catch (error) {
      // The database is temporarily unavailable; clients continue to wait.
      this.log.warn(`failed, will retry: ${String(error)}`);
    }
    this.timer = this.waiters.size === 0 ? undefined : this.lookSoon();
  }

  private lookSoon(): NodeJS.Timeout {
    return setTimeout(() => void this.look(), this.settings.EVENTS_POLL_MS).unref();
  }

  private async wakeConcerned(): Promise<void> {
    const head = await this.head.reach();
    if (head <= this.seen) return;
    const asleep = [...this.asleep];
    const after = Math.min(head, ...asleep.map(([, seen]) => seen));
    // From here on, a waiter that has seen less is woken immediately.
    this.seen = head;
    const users = [...new Set(asleep.map(([{ userId }]) => userId))];
    const concerned = users.length === 0 ? new Set() : new Set(await this.feed.concerned(after, head, users));
    for (const [waiter, seen] of asleep) {
      if (!this.asleep.has(waiter)) continue;
      if (!concerned.has(waiter.userId)) this.asleep.set(waiter, head);
      else if (seen < head) {
        this.asleep.delete(waiter);
        waiter.wake();
      }
    }
  }

  private async endOver(): Promise<void> {
    this.checkedAt = Date.now();
    // Clients that arrive while the query runs are not part of it.
    const waiters = [...this.waiters];
    const alive = await this.callers.stillSignedIn([...new Set(waiters.map(({ signInId }) => signInId))]);
    for (const waiter of waiters) if (!alive.has(waiter.signInId)) waiter.end();
  }
}
