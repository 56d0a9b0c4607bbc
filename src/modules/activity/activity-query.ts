import { invalidField } from '../../common/errors.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { timeFilter, type TimeLimit } from '../../platform/listing/time-filters.js';
import {
  FEED_PARAMETERS,
  FILTER_PARAMETERS,
  FILTER_READERS,
  filterOf,
  integerParameter,
  MAX_LIMIT,
  type EventFilter,
  type ParameterDocs,
} from './feed/feed-query.js';

const MAX_OFFSET = 1_000;
const MAX_PERIOD_DAYS = 31;
const DAY_MS = 86_400_000;

const TIMES = {
  start_time: timeFilter({ instant: '' }, 'after'),
  end_time: timeFilter({ instant: '' }, 'before'),
};

const ACTIVITY_READERS = {
  ...FILTER_READERS,
  start_time: (raw: string) => TIMES.start_time.parse(raw),
  end_time: (raw: string) => TIMES.end_time.parse(raw),
  offset: integerParameter(0, MAX_OFFSET),
  before: integerParameter(1, Number.MAX_SAFE_INTEGER),
  limit: integerParameter(1, Number.MAX_SAFE_INTEGER, MAX_LIMIT),
};

export const ACTIVITY_PARAMETERS: ParameterDocs = {
  ...FILTER_PARAMETERS,
  before: {
    description: 'Entries before this sequence: meta.next of the previous page.',
    schema: { type: 'integer', minimum: 1 },
  },
  limit: FEED_PARAMETERS.limit,
  offset: {
    description: `The number of entries to skip, at most ${MAX_OFFSET}; before continues further. With offset, meta.total is the number of entries.`,
    schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET },
  },
  start_time: {
    description:
      'Entries at or after this time, at most 31 days before end_time. With start_time, summary and hourly are returned, ' +
      'which count the newest 50,000 events of the period in your containers, or in those that are requested.',
    schema: TIMES.start_time.schema,
  },
  end_time: { description: 'Entries before this time; now by default.', schema: TIMES.end_time.schema },
};

/** A period of the activity. */
export interface ActivityPeriod {
  from: Date;
  to: Date;
}

/** A request for a page of the activity, newest first. */
export interface ActivityQuery extends EventFilter {
  before?: number;
  limit: number;
  offset?: number;
  /** The period that is summarized. */
  period?: ActivityPeriod;
  until?: Date;
}

/** Activity is counted by days of UTC. */
export function instantOf(limit: TimeLimit | undefined): Date | undefined {
  if (limit === undefined) return undefined;
  return new Date('instant' in limit ? limit.instant : `${limit.day}T00:00:00Z`);
}

export function readActivityQuery(raw: RawQuery): ActivityQuery {
  const values = readQuery(raw, ACTIVITY_READERS);
  const until = instantOf(values.get('end_time') as TimeLimit | undefined);
  const from = instantOf(values.get('start_time') as TimeLimit | undefined);
  const to = until ?? new Date();
  if (from !== undefined) assertPeriod(to.getTime() - from.getTime());
  return {
    ...filterOf(values),
    before: values.get('before') as number | undefined,
    limit: (values.get('limit') as number | undefined) ?? 50,
    offset: values.get('offset') as number | undefined,
    ...(from !== undefined && { period: { from, to } }),
    until,
  };
}

function assertPeriod(milliseconds: number): void {
  if (milliseconds <= 0) throw invalidField('end_time', 'out_of_range', 'end_time must be later than start_time.');
  if (milliseconds <= MAX_PERIOD_DAYS * DAY_MS) return;
  throw invalidField(
    'start_time',
    'out_of_range',
    `start_time can be at most ${MAX_PERIOD_DAYS} days before end_time.`,
  );
}
