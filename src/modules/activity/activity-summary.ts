import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidField } from '../../common/errors.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { Filter } from '../../platform/listing/definition.js';
import type { Parsed } from '../../platform/http/requests/parsed.js';
import { includingOnly } from '../../platform/listing/chosen-set.js';
import { idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { timeFilter, type TimeLimit } from '../../platform/listing/time-filters.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import {
  ActivityCountsRepository,
  type ActivityCountRow,
  type ActivityContainers,
} from './activity-counts.repository.js';
import { instantOf } from './activity-query.js';
import { FeedHead } from './feed/feed-head.js';

const DAY_MS = 86_400_000;
const MAX_DAYS_WITHOUT_CONTAINER = 31;
const MAX_DAYS = 366;
const MAX_HOURS = 48;
const DEFAULT_DAYS = 7;

const readerOf =
  (filter: Filter) =>
  (raw: string): Parsed =>
    filter.parse(raw);

const FILTERS = {
  endeavour_id: includingOnly(idFilter('', 'endeavour', '')),
  organization_id: includingOnly(idFilter('', 'organization', '')),
  from: timeFilter({ instant: '' }, 'after'),
  to: timeFilter({ instant: '' }, 'before'),
};

const READERS = {
  endeavour_id: readerOf(FILTERS.endeavour_id),
  organization_id: readerOf(FILTERS.organization_id),
  from: readerOf(FILTERS.from),
  to: readerOf(FILTERS.to),
  by: readerOf(oneOfFilter('', ['day', 'hour'])),
};

export const SUMMARY_PARAMETERS: Record<string, { description: string; schema: JsonSchema }> = {
  endeavour_id: { description: 'Events in these endeavours.', schema: FILTERS.endeavour_id.schema },
  organization_id: {
    description: 'Events in these organizations, and in endeavours whose home organization they are.',
    schema: FILTERS.organization_id.schema,
  },
  from: {
    description:
      'The start of the period; defaults to seven days ago. The period can be at most 366 days, or 31 days ' +
      'without endeavour_id or organization_id.',
    schema: FILTERS.from.schema,
  },
  to: { description: 'The end of the period (exclusive); defaults to now.', schema: FILTERS.to.schema },
  by: {
    description: 'Whether to count by day, or by hour for a period of at most 48 hours.',
    schema: { type: 'string', enum: ['day', 'hour'], default: 'day' },
  },
};

/** Counts events by type and day from stored counts, or by type and hour from the feed. */
@Injectable()
export class ActivitySummary {
  constructor(
    private readonly counts: ActivityCountsRepository,
    private readonly head: FeedHead,
  ) {}

  async read(me: Caller, raw: RawQuery): Promise<ActivityCountRow[]> {
    const values = readQuery(raw, READERS);
    const to = instantOf(values.get('to') as TimeLimit | undefined) ?? new Date();
    const from =
      instantOf(values.get('from') as TimeLimit | undefined) ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
    const within: ActivityContainers = {
      endeavourIds: values.get('endeavour_id') as string[] | undefined,
      organizationIds: values.get('organization_id') as string[] | undefined,
    };
    const byHour = (values.get('by') as string[] | undefined)?.[0] === 'hour';
    assertPeriod((to.getTime() - from.getTime()) / DAY_MS, {
      byHour,
      hasContainer: within.endeavourIds !== undefined || within.organizationIds !== undefined,
    });
    await this.head.assignSequences();
    return byHour ? this.counts.byHour(me, from, to, within) : this.counts.byDay(me, from, to, within);
  }
}

function assertPeriod(days: number, { byHour, hasContainer }: { byHour: boolean; hasContainer: boolean }): void {
  if (days <= 0) throw invalidField('to', 'out_of_range', 'to must be later than from.');
  if (byHour && days * 24 > MAX_HOURS) {
    throw invalidField('by', 'out_of_range', `Counts by hour are limited to ${MAX_HOURS} hours.`);
  }
  const limit = hasContainer ? MAX_DAYS : MAX_DAYS_WITHOUT_CONTAINER;
  if (days <= limit) return;
  const message = hasContainer
    ? `The period can be at most ${limit} days.`
    : `A period of more than ${limit} days requires endeavour_id or organization_id.`;
  throw invalidField('from', 'out_of_range', message);
}
