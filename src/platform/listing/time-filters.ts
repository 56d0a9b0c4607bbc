import { parseDay, parseInstant } from '../../common/time.js';
import type { Filter, ListRequest, Statement } from './definition.js';

/** The limit of a range: an instant in UTC, or a day. */
export type TimeLimit = { instant: string } | { day: string };

/** The column of a time; dates that can be days have a second one, which is null for an instant. */
export interface TimeColumn {
  instant: string;
  day?: string;
}

const DAY_MS = 86_400_000;

const nextDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** The least limit above another: the next day, or the next millisecond. */
function next(limit: TimeLimit): TimeLimit {
  if ('day' in limit) return { day: nextDay(limit.day) };
  return { instant: new Date(Date.parse(limit.instant) + 1).toISOString() };
}

type Side = 'after' | 'before';

/**
 * Filters rows at or after, or strictly before, an instant or a day. Days are compared with days, and with instants in
 * the time zone of the endeavour that the request names, or of the caller (spec 01, Time).
 */
export function timeFilter(column: TimeColumn, side: Side, property?: string): Filter {
  return {
    ...(property !== undefined && { range: { of: property, side: side === 'after' ? 'from' : 'below', next } }),
    schema: { type: 'string', format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] },
    description:
      (side === 'after' ? 'At or after this time' : 'Before this time') +
      ', or the start of this day (YYYY-MM-DD) in the time zone of the endeavour if one is named, else in yours.',
    parse(raw) {
      const instant = parseInstant(raw);
      if (instant !== undefined) return { value: { instant: instant.toISOString() } };
      if (parseDay(raw) !== undefined) return { value: { day: raw } };
      return { code: 'invalid_date', message: 'Must be an RFC 3339 date-time with an offset, or a date (YYYY-MM-DD).' };
    },
    where(limit: TimeLimit, statement, request) {
      const operator = side === 'after' ? '>=' : '<';
      if ('instant' in limit) return `${column.instant} ${operator} ${statement.bind(limit.instant)}::timestamptz`;
      const day = `${statement.bind(limit.day)}::date`;
      const atStart = `${column.instant} ${operator} first_instant_of(${day}, ${timezoneOf(request, statement)})`;
      if (column.day === undefined) return atStart;
      // The range is a day wider in every time zone, so that the index of instants can be used.
      const wider = side === 'after' ? `- interval '1 day'` : `+ interval '1 day'`;
      return `${column.instant} ${operator} (${day}::timestamp AT TIME ZONE 'UTC') ${wider}
        AND CASE WHEN ${column.day} IS NULL THEN ${atStart} ELSE ${column.day} ${operator} ${day} END`;
    },
  };
}

/**
 * Filters rows on or after a day, or before it, such as `day_after` and `day_before` for `day`. Expressions compare
 * `property`, if there is one.
 */
export function dayFilters(name: string, column: string, property?: string): Record<string, Filter> {
  const filterFor = (side: Side): Filter => ({
    ...(property !== undefined && {
      range: { of: property, side: side === 'after' ? 'from' : 'below', next: nextDay },
    }),
    schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', examples: ['2026-11-20'] },
    description: `${side === 'after' ? 'On this day (YYYY-MM-DD) or later' : 'Before this day (YYYY-MM-DD)'}.`,
    parse: (raw) =>
      parseDay(raw) === undefined ? { code: 'invalid_date', message: 'Must be a date (YYYY-MM-DD).' } : { value: raw },
    where: (day: string, { bind }) => `${column} ${side === 'after' ? '>=' : '<'} ${bind(day)}::date`,
  });
  return { [`${name}_after`]: filterFor('after'), [`${name}_before`]: filterFor('before') };
}

/** SQL: the time zone in which the days of a request are meant; computed once per statement. */
function timezoneOf({ filters }: Pick<ListRequest, 'filters'>, { bind, me }: Statement): string {
  const named = filters.get('endeavour_id');
  if (Array.isArray(named) && named.length === 1) {
    return `coalesce((SELECT z.timezone FROM endeavours z WHERE z.id = ${bind(named[0])}), 'UTC')`;
  }
  return `coalesce((SELECT z.timezone FROM users z WHERE z.id = ${me}), 'UTC')`;
}

/** The time ranges of spec 01: `created_after`, `created_before` and so on, for `created_at`, and `due_date` for days. */
export function rangeFilters(columns: Record<string, string | TimeColumn>): Record<string, Filter> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, sent]) => {
      const column = typeof sent === 'string' ? { instant: sent } : sent;
      const property = `${name}_${column.day === undefined ? 'at' : 'date'}`;
      return [
        [`${name}_after`, timeFilter(column, 'after', property)],
        [`${name}_before`, timeFilter(column, 'before', property)],
      ];
    }),
  );
}
