import { invalidField } from '../../../common/errors.js';
import { addDays, isDateOrDateTime, resolveDateOrDateTime, type DateOrDateTimeText } from '../../../common/time.js';
import type { JsonSchema } from '../../../platform/database/views/view.js';
import type { QueryReaders } from '../../../platform/http/requests/plain-query.js';
import type { Parsed } from '../../../platform/http/requests/parsed.js';

export const DATE_PATTERN = String.raw`^\d{4}-\d\d-\d\d$`;
const DAY_MS = 86_400_000;

/** A period of time. */
export interface Period {
  from: Date;
  to: Date;
}

/** The start and end of a period as sent by the client. */
export interface PeriodQuery {
  from?: DateOrDateTimeText;
  to?: DateOrDateTimeText;
}

const instantOrDay = (raw: string): Parsed =>
  isDateOrDateTime(raw)
    ? { value: raw }
    : { code: 'invalid_date', message: 'Must be an RFC 3339 date-time with an offset, or a date (YYYY-MM-DD).' };

export const PERIOD_READERS: QueryReaders = { from: instantOrDay, to: instantOrDay };

const SCHEMA: JsonSchema = { type: 'string', format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] };

/** The query parameters of a period, with their defaults. */
export const periodParameters = (defaults: {
  from: string;
  to: string;
}): Record<'from' | 'to', { description: string; schema: JsonSchema }> => ({
  from: {
    description: `The interval that contains this date or time is the first one. Defaults to ${defaults.from}.`,
    schema: SCHEMA,
  },
  to: {
    description: `The interval that contains this date or time is the last one. Defaults to ${defaults.to}.`,
    schema: SCHEMA,
  },
});

export const periodIn = (values: ReadonlyMap<string, unknown>): PeriodQuery => ({
  from: values.get('from') as DateOrDateTimeText | undefined,
  to: values.get('to') as DateOrDateTimeText | undefined,
});

/** The default and maximum lengths of a period, in days. */
export interface PeriodBounds {
  /** The length of a period of which one end or none is sent. */
  usual: number;
  most: number;
}

/** The limits of a period in the future; `furthest` is the maximum number of days from now to its end. */
export interface ComingBounds extends PeriodBounds {
  furthest: number;
}

/** Reads a period that ends at `now` by default; rejects one that is reversed or too long. */
export function pastPeriod({ from, to }: PeriodQuery, timezone: string, now: Date, bounds: PeriodBounds): Period {
  const requestedEnd = to === undefined ? now : resolveDateOrDateTime(to, 'end', timezone);
  const end = requestedEnd > now ? now : requestedEnd;
  const start =
    from === undefined ? addDays(end, -bounds.usual, timezone) : resolveDateOrDateTime(from, 'start', timezone);
  return assertPeriod({ from: start, to: end }, bounds);
}

/** Reads a period that begins now by default; rejects one that is reversed or too long. */
export function comingPeriod({ from, to }: PeriodQuery, timezone: string, now: Date, bounds: ComingBounds): Period {
  const start = from === undefined ? now : resolveDateOrDateTime(from, 'start', timezone);
  const end = to === undefined ? addDays(start, bounds.usual, timezone) : resolveDateOrDateTime(to, 'end', timezone);
  if (end.getTime() - now.getTime() > bounds.furthest * DAY_MS) {
    const field = to === undefined ? 'from' : 'to';
    throw invalidField(field, 'out_of_range', `The period must end at most ${bounds.furthest} days from now.`);
  }
  return assertPeriod({ from: start, to: end }, bounds);
}

function assertPeriod(period: Period, { most }: PeriodBounds): Period {
  const { from, to } = period;
  if (from > to) throw invalidField('from', 'out_of_range', 'from must not be after to, or in the future.');
  if (to.getTime() - from.getTime() <= most * DAY_MS) return period;
  throw invalidField('from', 'out_of_range', `from must be at most ${most} days before to.`);
}
