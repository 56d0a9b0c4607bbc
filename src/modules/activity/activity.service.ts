import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { defineView, text, type Wire } from '../../platform/database/view.js';
import { FeedSlice, jsonTexts } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { sentenceOf } from './activity.rules.js';
import { eventView } from './event.view.js';
import { FeedHead } from './feed-head.js';
import { readActivityQuery, type ActivityQuery } from './feed-query.js';
import { FeedRepository } from './feed.repository.js';

const activityView = defineView({
  ...eventView,
  name: 'ActivityEvent',
  fields: { ...eventView.fields, entity_title: text('x.title') },
});
type ActivityEvent = Wire<typeof activityView>;

/** A page of entries, and the sequence before which the next page begins; null on the last page. */
interface ActivityPage {
  entries: ReturnType<typeof entryOf>[];
  next: number | null;
}

/** The properties of an entry in the order of their columns. */
export const ENTRY_COLUMNS = [
  'id',
  'sequence',
  'day',
  'occurred_at',
  'actor_id',
  'actor_name',
  'text',
  'type',
  'entity_type',
  'entity_id',
  'entity_title',
  'endeavour_id',
] as const satisfies readonly (keyof ReturnType<typeof entryOf>)[];

/** Lists events as sentences for people, newest first. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
  ) {}

  async page(me: Caller, raw: RawQuery): Promise<FeedSlice> {
    const { entries, next } = await this.read(me, readActivityQuery(raw));
    return new FeedSlice(jsonTexts(entries), { next, has_more: next !== null });
  }

  /** Returns the entries before a sequence, newest first; by default from the end of the feed. */
  private async read(me: Caller, query: ActivityQuery): Promise<ActivityPage> {
    const head = await this.head.assignSequences();
    return this.readBefore(me, query, query.before ?? head + 1);
  }

  /** Returns the entries before a sequence, newest first, without looking up the end of the feed. */
  async readBefore(me: Caller, query: ActivityQuery, before: number): Promise<ActivityPage> {
    const page = await this.feed.page(me, { ...query, view: activityView, descending: true, after: before });
    const entries = page.items.map((item) => entryOf(JSON.parse(item) as ActivityEvent));
    const isFull = page.picked > query.limit;
    const next = isFull ? page.last : page.edge;
    return { entries, next };
  }
}

const entryOf = (event: ActivityEvent) => ({
  id: event.id,
  sequence: event.sequence,
  day: event.occurred_at.slice(0, 10),
  occurred_at: event.occurred_at,
  actor_id: event.actor_id,
  actor_name: event.actor_name,
  text: sentenceOf(event),
  type: event.type,
  entity_type: event.entity_type,
  entity_id: event.entity_id,
  entity_title: event.entity_title,
  endeavour_id: event.endeavour_id,
});
