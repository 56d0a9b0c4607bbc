import { keyOfEntity } from '../../access/references/work-keys.view.js';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { defineView, text, type Wire } from '../../platform/database/views/view.js';
import { FeedSlice, jsonTexts } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { sentenceOf } from './activity.rules.js';
import { eventView } from './event.view.js';
import { ActivityOverview, type ActivityOverviewResult } from './activity-overview.js';
import { FeedHead } from './feed/feed-head.js';
import { readActivityQuery, type ActivityQuery } from './activity-query.js';
import { FeedRepository } from './feed/feed.repository.js';

const activityView = defineView({
  ...eventView,
  name: 'ActivityEvent',
  fields: { ...eventView.fields, entity_key: keyOfEntity('x'), entity_title: text('x.title') },
});
type ActivityEvent = Wire<typeof activityView>;

const MAX_LIMIT = 200;
/** The number of pages that are read to skip entries. */
const MAX_PAGES = 20;
const MONTH_MS = 31 * 86_400_000;

type ActivityEntry = ReturnType<typeof entryOf>;

/** Whether the entry is older than the period. */
export const isBefore = ({ period }: ActivityQuery, at: string): boolean =>
  period !== undefined && new Date(at) < period.from;
export const isWithin = (query: ActivityQuery, at: string): boolean =>
  !isBefore(query, at) && (query.until === undefined || new Date(at) < query.until);

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
  'entity_key',
  'entity_title',
  'endeavour_id',
] as const satisfies readonly (keyof ReturnType<typeof entryOf>)[];

/** Lists events as sentences for people, newest first. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly overview: ActivityOverview,
  ) {}

  async page(me: Caller, raw: RawQuery): Promise<FeedSlice> {
    const query = readActivityQuery(raw);
    const { entries, next } = await this.read(me, query);
    const overview = query.period && (await this.overview.read(me, query, query.period));
    const meta = { next, has_more: next !== null };
    if (query.offset === undefined) return new FeedSlice(jsonTexts(entries), meta, overview);
    const { offset, limit } = query;
    const total = await this.total(me, query, overview);
    return new FeedSlice(jsonTexts(entries), { ...meta, total, limit, offset }, overview);
  }

  /** The number of entries of the period, or of the last month; null for filters by which nothing is counted. */
  private async total(me: Caller, query: ActivityQuery, overview?: ActivityOverviewResult): Promise<number | null> {
    const { entityTypes, entityIds, actorIds, types, aboutMe } = query;
    if (aboutMe || [entityTypes, entityIds, actorIds, types].some((filter) => filter !== undefined)) return null;
    const to = query.until ?? new Date();
    const month = { from: new Date(to.getTime() - MONTH_MS), to };
    return (overview ?? (await this.overview.read(me, query, month))).summary.total;
  }

  /** Returns the entries before a sequence, newest first; by default from the end of the feed. */
  private async read(me: Caller, query: ActivityQuery): Promise<ActivityPage> {
    const head = await this.head.assignSequences();
    const end = query.until === undefined ? undefined : (await this.feed.lastBefore(query.until)) + 1;
    const begin = Math.min(query.before ?? head + 1, end ?? Infinity);
    if (query.offset === undefined && query.period === undefined && end === undefined)
      return this.readBefore(me, query, begin);
    return this.readWithin(me, query, begin);
  }

  /** Skips entries, and leaves out those that are not within the period; they are only known after they have been read. */
  private async readWithin(me: Caller, query: ActivityQuery, begin: number): Promise<ActivityPage> {
    const { offset = 0, limit } = query;
    const found: ActivityEntry[] = [];
    let next: number | null = begin;
    for (let pages = 0; next !== null && found.length <= offset + limit && pages < MAX_PAGES; pages += 1) {
      const wanted = Math.min(offset + limit + 1 - found.length, MAX_LIMIT);
      const page: ActivityPage = await this.readBefore(me, { ...query, limit: wanted }, next);
      found.push(...page.entries.filter((entry) => isWithin(query, entry.occurred_at)));
      next = page.entries.some(({ occurred_at }) => isBefore(query, occurred_at)) ? null : page.next;
    }
    const entries = found.slice(offset, offset + limit);
    const last = entries.at(-1);
    return { entries, next: found.length > offset + limit && last !== undefined ? last.sequence : next };
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

/** What happened, without the kind of entity. */
const actionOf = (type: string): string => type.slice(type.indexOf('.') + 1);

const entryOf = (event: ActivityEvent) => entryWith(event, sentenceOf(event));

const entryWith = (event: ActivityEvent, sentence: string) => ({
  id: event.id,
  sequence: event.sequence,
  day: event.occurred_at.slice(0, 10),
  occurred_at: event.occurred_at,
  actor_id: event.actor_id,
  actor_name: event.actor_name,
  text: sentence,
  created_at: event.occurred_at,
  action: actionOf(event.type),
  summary: sentence,
  type: event.type,
  entity_type: event.entity_type,
  entity_id: event.entity_id,
  entity_key: event.entity_key,
  entity_title: event.entity_title,
  endeavour_id: event.endeavour_id,
});
