import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { boundsOf } from '../../../access/authentication/bounded-caller.js';
import { Callers } from '../../../access/authentication/callers.js';
import { gone, invalidField } from '../../../common/errors.js';
import { FeedSlice } from '../../../platform/http/responses/page.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import { unauthorized } from '../../../platform/http/responses/to-api-error.js';
import { FairQueue } from '../../../platform/limits/fair-queue.js';
import { FeedHead } from './feed-head.js';
import { FeedRepository } from './feed.repository.js';
import type { FeedQuery } from './feed-query.js';

/** The events of a page, and the sequence after which the next page begins. */
export interface Slice {
  /** Events as JSON, and the sequence of each. */
  items: readonly string[];
  sequences: readonly number[];
  next: number;
  hasMore: boolean;
}

/** Limits concurrent reads when thousands of clients are woken, so that other requests find free connections. */
const QUEUE_LIMITS = { atOnce: 3, atOncePerUser: 2, waiting: Infinity, waitingPerUser: Infinity };

/** Reads the feed of changes in commit order, with the events that are currently visible to the caller. */
@Injectable()
export class FeedService {
  private readonly queue = new FairQueue(QUEUE_LIMITS);

  constructor(
    private readonly callers: Callers,
    private readonly context: RequestContext,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
  ) {}

  /** Returns the first slice of a request; it is empty for `after=now`. */
  async firstSlice(me: Caller, query: FeedQuery): Promise<Slice> {
    const { after = 0 } = query;
    const head = await this.head.assignSequences();
    if (after === 'now') return { items: [], sequences: [], next: head, hasMore: false };
    if (after > head) {
      throw invalidField(
        'after',
        'out_of_range',
        'after is beyond the newest sequence; synchronize again from the list endpoints.',
      );
    }
    return this.sliceAfter(me, query, after);
  }

  /** Returns the slice after a sequence for a request that has waited; 401 if its session or token is no longer valid. */
  nextSlice(me: Caller, query: FeedQuery, after: number): Promise<Slice> {
    return this.queue.run(me.userId, async () => {
      const current = await this.callers.reload(me);
      if (current === undefined) throw unauthorized();
      return this.context.within(boundsOf(current), () => this.sliceAfter(current.caller, query, after));
    });
  }

  private async sliceAfter(me: Caller, query: FeedQuery, after: number): Promise<Slice> {
    const { items, sequences, ...page } = await this.feed.page(me, { ...query, after });
    if (after > 0 && after < page.dropped) throw gone(page.dropped + 1);
    const isFull = page.picked > query.limit;
    const next = (isFull ? page.last : page.edge) ?? page.head;
    return { items, sequences, next, hasMore: isFull || page.edge !== null };
  }
}

export const toPage = ({ items, next, hasMore }: Slice): FeedSlice => new FeedSlice(items, { next, has_more: hasMore });
