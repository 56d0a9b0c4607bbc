import { invalidField } from '../../common/errors.js';

/** Describes `iteration_id` of tasks and demands. */
export const ITERATION_OF_WORK = 'An iteration of the endeavour that is not closed.';

/** Rejects an iteration that ends before it begins. Days are texts of one length, so that they compare as days do. */
export function assertOrder(startDay: string, endDay: string): void {
  if (startDay <= endDay) return;
  throw invalidField('end_day', 'out_of_range', 'end_day must not be before start_day.');
}

const DAY_MS = 86_400_000;
const LAST_DAY = '9999-12-31';

/** The day that many days after another one, as YYYY-MM-DD; the last day of the calendar if it is beyond. */
export function daysAfter(day: string, days: number): string {
  const later = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return later > Date.parse(`${LAST_DAY}T00:00:00Z`) ? LAST_DAY : new Date(later).toISOString().slice(0, 10);
}

/** The name of the iteration behind the last one: `Sprint 13` follows `Sprint 12`. */
export function nextName(last: string | undefined): string {
  const [, name = last ?? 'Iteration', number] = /^(.*?\s)(\d{1,9})$/.exec(last ?? '') ?? [];
  if (number !== undefined) return `${name}${Number(number) + 1}`;
  return last === undefined ? `${name} 1` : `${name.slice(0, 490)} 2`;
}
