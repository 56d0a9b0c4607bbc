import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { gone, invalidField, invalidInput, notFound } from '../../common/errors.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { EventField } from '../activity/event.view.js';
import { FeedHead } from '../activity/feed/feed-head.js';
import { integerParameter } from '../activity/feed/feed-query.js';
import { FeedRepository, type FeedPage } from '../activity/feed/feed.repository.js';
import { taskView } from '../tasks/task.view.js';
import { FieldChanges, type FieldChange } from './field-changes.js';

const FIELDS: EventField[] = ['type', 'data'];
const PAGE_SIZE = 50;
/** Event types without the state of the task. They are skipped, because a task can have any number of them. */
const STATELESS_TYPES = ['task.review_requested'];

interface Event {
  type: string;
  data: JsonRecord;
}

/** The changes of a task between two sequences of the feed. */
export interface TaskDiff {
  from: number;
  to: number;
  changes: FieldChange[];
}

const sequence = integerParameter(0, Number.MAX_SAFE_INTEGER);

/** Compares the states of a task after two sequences of the feed, from its events. */
@Injectable()
export class TaskDiffsService {
  constructor(
    private readonly access: Access,
    private readonly changes: FieldChanges,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
  ) {}

  /** Before its creation, a task has no values; 410 if its events of that time have been removed. */
  async read(me: Caller, id: string, query: RawQuery): Promise<TaskDiff> {
    const parameters = readQuery(query, { from: sequence, to: sequence });
    const from = parameters.get('from') as number | undefined;
    if (from === undefined) throw invalidInput([{ field: 'from', code: 'required', message: 'from is required.' }]);
    if ((await this.access.find(me, id)) === undefined) throw notFound();
    const head = await this.head.assignSequences();
    const to = (parameters.get('to') as number | undefined) ?? head;
    if (to > head) throw invalidField('to', 'out_of_range', 'to is beyond the newest sequence.');
    if (from > to) throw invalidField('from', 'out_of_range', 'from must not be after to.');
    const states = [await this.stateAfter(me, id, from), await this.stateAfter(me, id, to)] as const;
    return { from, to, changes: await this.changes.between(me.userId, taskView, states) };
  }

  /** Returns the state in the last event with a full state up to the sequence. */
  private async stateAfter(me: Caller, id: string, last: number): Promise<JsonRecord> {
    for (let before: number | null = last + 1; before !== null;) {
      const page = await this.page(me, id, before, true);
      const state = eventsOf(page).find(({ data }) => data.id === id && 'title' in data);
      if (state !== undefined) return state.data;
      before = page.picked > PAGE_SIZE ? page.last : page.edge;
    }
    return this.stateBefore(me, id);
  }

  /**
   * Returns the empty state before the creation, which has no sequence yet while many events are waiting for theirs; 410 if
   * the event of the creation has been removed.
   */
  private async stateBefore(me: Caller, id: string): Promise<JsonRecord> {
    // Read before the page, which finds the event if it gets its sequence in between.
    const isWaiting = await this.feed.isWaiting(id);
    const page = await this.page(me, id, 0, false);
    const [first] = eventsOf(page);
    if (first?.type === 'task.created') return {};
    if (first === undefined && isWaiting) return {};
    throw gone(page.sequences.at(0) ?? page.dropped + 1);
  }

  private page(me: Caller, id: string, after: number, descending: boolean): Promise<FeedPage> {
    const limit = descending ? PAGE_SIZE : 1;
    return this.feed.page(me, {
      entityIds: [id],
      aboutMe: false,
      exceptTypes: STATELESS_TYPES,
      after,
      descending,
      limit,
      fields: FIELDS,
    });
  }
}

const eventsOf = ({ items }: FeedPage): Event[] => items.map((item) => JSON.parse(item) as Event);
