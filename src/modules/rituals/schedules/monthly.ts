import { instantOfWallTime, wallTimeAt } from '../../../common/time.js';

/** The days of the week as schedules name them, in the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const ORDINALS: Readonly<Record<string, number>> = {
  '1st': 1,
  '2nd': 2,
  '3rd': 3,
  '4th': 4,
  '5th': 5,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  last: 5,
};

/** A day of every month: a number, or the n-th of a day of the week; the last one is the fifth at most. */
type MonthlyDay = { day: number } | { nth: number; weekday: number };

const LAST_DAY = 31;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const DAY_MS = 86_400_000;

/** Parses `31`, `last day`, `last friday` or `2nd monday`; undefined for anything else. */
function parseDayOfMonth(on: unknown): MonthlyDay | undefined {
  if (typeof on !== 'string') return undefined;
  const words = on.toLowerCase().split(' ');
  if (words.length === 1) return /^(?:[1-9]|[12]\d|3[01])$/.test(on) ? { day: Number(on) } : undefined;
  const [ordinal, named] = words;
  if (words.length > 2) return undefined;
  if (ordinal === 'last' && named === 'day') return { day: LAST_DAY };
  const weekday = WEEKDAYS.indexOf(named);
  return Object.hasOwn(ORDINALS, ordinal) && weekday >= 0 ? { nth: ORDINALS[ordinal], weekday } : undefined;
}

/** The reason why the properties are not a monthly schedule, as the end of a sentence; undefined if they are. */
export function monthlyError({ on, time }: Record<string, unknown>): string | undefined {
  if (parseDayOfMonth(on) === undefined)
    return 'of type monthly must have on: a day of the month such as 31, last day, or a day of the week such as 2nd monday or last friday.';
  if (time === undefined || (typeof time === 'string' && TIME.test(time))) return undefined;
  return 'has an invalid time; use hours and minutes such as 18:00.';
}

/** The day in a month of UTC; a day that the month lacks is its last one. */
function dayIn(wanted: MonthlyDay, year: number, month: number): number {
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if ('day' in wanted) return Math.min(wanted.day, length);
  const first = 1 + ((7 + wanted.weekday - new Date(Date.UTC(year, month, 1)).getUTCDay()) % 7);
  const nth = first + 7 * (wanted.nth - 1);
  return nth > length ? nth - 7 : nth;
}

/**
 * The next time strictly after an instant. A time of day that is skipped when clocks go forward becomes the first instant
 * after the change; one that occurs twice is used the first time.
 */
export function nextOfMonthly(on: string, time: string, after: Date, timezone: string): Date | undefined {
  const wanted = parseDayOfMonth(on);
  const [, hours, minutes] = TIME.exec(time) ?? [];
  if (wanted === undefined || hours === undefined) return undefined;
  // A day earlier, because the first instant after a change of the clock can belong to the month before.
  const begin = new Date(wallTimeAt(after.getTime(), timezone) - DAY_MS);
  for (let month = begin.getUTCMonth(); ; month += 1) {
    const [year, at] = [begin.getUTCFullYear() + Math.floor(month / 12), month % 12];
    const wall = Date.UTC(year, at, dayIn(wanted, year, at), Number(hours), Number(minutes));
    const instant = instantOfWallTime(wall, timezone);
    if (instant > after.getTime()) return new Date(instant);
  }
}
