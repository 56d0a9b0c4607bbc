import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../access/authentication/caller.js';
import type { FeedSlice } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { releaseSlot } from '../../../platform/http/server/session-concurrency-limiter.js';
import { rateLimited } from '../../../platform/limits/rate-limited.js';
import { readFeedQuery, readStreamQuery, type FeedQuery } from './feed-query.js';
import { FeedService, toPage, type Slice } from './feed.service.js';
import { FeedWatch } from './feed-watch.js';
import { Wakeup } from './wakeup.js';

/** The maximum number of waiting requests per user and process, including streams. */
export const MAX_WAITING = 5;
const WAITS = {
  name: 'feed_waits',
  counts: 'streams and waiting reads of the feed of one user',
  most: MAX_WAITING,
  seconds: null,
  setting: null,
};
const RETRY_SECONDS = 5;
const HEARTBEAT_MS = 15_000;
/** The time in which a stream that ends can send the events that it has begun to send. */
const GRACE_MS = 1_000;
/** Tells clients to reconnect after 2 seconds. */
const RECONNECT = 'retry: 2000\n\n';

/** Responds to requests for the feed, and waits for events if requested. */
@Injectable()
export class FeedWaits {
  constructor(
    private readonly feed: FeedService,
    private readonly watch: FeedWatch,
  ) {}

  async page(me: Caller, raw: RawQuery, reply: FastifyReply): Promise<FeedSlice> {
    const query = readFeedQuery(raw);
    const first = await this.feed.firstSlice(me, query);
    if (query.waitSeconds === 0 || first.items.length > 0) return toPage(first);
    this.assertMayWait(me);
    releaseSlot(reply.request);
    return toPage(await this.waitForEvents(me, query, first, reply));
  }

  /** Streams events until the client disconnects, its session ends or the process shuts down. */
  async stream(me: Caller, raw: RawQuery, reply: FastifyReply): Promise<void> {
    const query = readStreamQuery(raw, reply.request.headers['last-event-id']);
    const first = await this.feed.firstSlice(me, query);
    this.assertMayWait(me);
    const waiter = new Wakeup(me.userId, me.secretHash ?? me.sessionId, () =>
      setTimeout(() => body.destroy(), GRACE_MS).unref(),
    );
    // Events are read only when the client has received the previous ones, so a slow client needs no buffer.
    const body = Readable.from(this.events(me, query, first, waiter), { objectMode: false, highWaterMark: 1 });
    this.watch.add(waiter);
    body.once('close', () => {
      this.watch.remove(waiter);
      waiter.end();
    });
    void reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(body);
  }

  private assertMayWait({ userId }: Caller): void {
    if (this.watch.countOf(userId) >= MAX_WAITING) throw rateLimited(WAITS, RETRY_SECONDS);
  }

  /** Returns the next slice that is not empty, or an empty one after the timeout. */
  private async waitForEvents(me: Caller, query: FeedQuery, first: Slice, reply: FastifyReply): Promise<Slice> {
    const waiter = new Wakeup(me.userId, me.secretHash ?? me.sessionId);
    const end = (): void => waiter.end();
    const timer = setTimeout(end, query.waitSeconds * 1_000).unref();
    if (reply.raw.destroyed) end();
    reply.raw.once('close', end);
    this.watch.add(waiter);
    let slice = first;
    try {
      while (!waiter.isOver && slice.items.length === 0) {
        if (!slice.hasMore) {
          this.watch.sleep(waiter, slice.next);
          await waiter.sleep(query.waitSeconds * 1_000);
        }
        slice = await this.feed.nextSlice(me, query, slice.next);
      }
      return slice;
    } finally {
      clearTimeout(timer);
      reply.raw.off('close', end);
      this.watch.remove(waiter);
    }
  }

  private async *events(me: Caller, query: FeedQuery, first: Slice, waiter: Wakeup): AsyncGenerator<string> {
    yield RECONNECT;
    let slice = first;
    let heartbeatAt = performance.now() + HEARTBEAT_MS;
    while (!waiter.isOver) {
      if (slice.items.length > 0) yield slice.items.map((item, at) => messageOf(item, slice.sequences[at])).join('');
      if (!slice.hasMore) this.watch.sleep(waiter, slice.next);
      let goesOn = false;
      while (!goesOn && !waiter.isOver) {
        // Events that the filter excludes wake a stream too, so a heartbeat can be due without a pause of that length.
        if (performance.now() >= heartbeatAt) {
          yield heartbeatOf(slice.next);
          heartbeatAt = performance.now() + HEARTBEAT_MS;
        }
        goesOn = slice.hasMore || (await waiter.sleep(heartbeatAt - performance.now()));
      }
      if (!waiter.isOver) slice = await this.feed.nextSlice(me, query, slice.next);
    }
  }
}

const messageOf = (item: string, sequence: number): string => `id: ${sequence}\nevent: change\ndata: ${item}\n\n`;

/** A comment line, with the sequence up to which the client has received all visible events. */
const heartbeatOf = (sequence: number): string => `:\nid: ${sequence}\n\n`;
