import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { boundsOf, Callers } from '../../access/callers.js';
import { gone, invalidField } from '../../common/errors.js';
import { FeedSlice } from '../../platform/http/page.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { unauthorized } from '../../platform/http/to-api-error.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { FeedHead } from './feed-head.js';
import { FeedRepository } from './feed.repository.js';
import type { FeedQuery } from './feed-query.js';

/** Events of one page, and the sequence after which the next page begins. */
export interface Slice {
  /** Events as JSON, and the sequence of each. */
  items: readonly string[];
  sequences: readonly number[];
  next: number;
  hasMore: boolean;
}

/** Limits concurrent reads after a wake-up of thousands, so that other requests get connections. */
const AT_ONCE = { atOnce: 3, atOncePerUser: 2, waiting: Infinity, waitingPerUser: Infinity };

/** Provides the feed of changes in commit order, with the events that are currently visible to the caller. */
@Injectable()
export class FeedService {
  private readonly queue = new FairQueue(AT_ONCE);

  constructor(
    private readonly callers: Callers,
    private readonly context: RequestContext,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
  ) {}

  /** The first page of a request; for `after=now` without existing events. */
  async begin(me: Caller, query: FeedQuery): Promise<Slice> {
    const { after = 0 } = query;
    const head = await this.head.reach();
    if (after === 'now') return { items: [], sequences: [], next: head, hasMore: false };
    if (after > head) {
      throw invalidField(
        'after',
        'out_of_range',
        'after is beyond the newest sequence; synchronize again from the list endpoints.',
      );
    }
    return this.behind(me, query, after);
  }

  /** The events after a sequence for a caller who has waited and may have lost the session or rights meanwhile. */
  goOn(me: Caller, query: FeedQuery, after: number): Promise<Slice> {
    return this.queue.run(me.userId, async () => {
      const present = await this.callers.reload(me);
      if (present === undefined) throw unauthorized();
      return this.context.within(boundsOf(present), () => this.behind(present.caller, query, after));
    });
  }

  private async behind(me: Caller, query: FeedQuery, after: number): Promise<Slice> {
    const { items, sequences, ...page } = await this.feed.page(me, { ...query, after });
    if (after > 0 && after < page.dropped) throw gone(page.dropped + 1);
    const isFull = page.picked > query.limit;
    const next = (isFull ? page.last : page.edge) ?? page.head;
    return { items, sequences, next, hasMore: isFull || page.edge !== null };
  }
}

export const toPage = ({ items, next, hasMore }: Slice): FeedSlice => new FeedSlice(items, { next, has_more: hasMore });
