import { isRecord } from '../../../common/texts/json.js';
import { addDays, isTimeZone, parseInstant, wallTimeAt } from '../../../common/time.js';
import { cronError, nextOfCron } from './cron.js';
import { monthlyError, nextOfMonthly, WEEKDAYS } from './monthly.js';

/** The schedule of a ritual, as it is stored and returned. */
export type Schedule =
  | { type: 'manual' }
  | { type: 'cron'; expression: string; timezone?: string }
  | { type: 'interval'; every: string; on?: string; start?: string; timezone?: string }
  | { type: 'monthly'; on: string; time?: string; timezone?: string };

/** The defaults of a schedule: the time zone, and the start of an interval without one. */
export interface ScheduleDefaults {
  timezone: string;
  start: Date;
}

export const SCHEDULE_TYPES = ['manual', 'cron', 'interval', 'monthly'] as const;

const PROPERTIES: Record<Schedule['type'], readonly string[]> = {
  manual: ['type'],
  cron: ['type', 'expression', 'timezone'],
  interval: ['type', 'every', 'on', 'start', 'timezone'],
  monthly: ['type', 'on', 'time', 'timezone'],
};
const EVERY = /^([1-9]\d{0,3})([mhdw])$/;
const MIDNIGHT = '00:00';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNIT_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS, w: 7 * DAY_MS };

/** The properties that a schedule of the same type can have; only `type` if the type is unknown. */
export function schedulePropertiesOf(value: unknown): readonly string[] {
  const type = SCHEDULE_TYPES.find((known) => isRecord(value) && known === value.type);
  return type === undefined ? ['type'] : PROPERTIES[type];
}

/** The reason why a JSON value is not a schedule, as the end of a sentence; undefined if it is one. */
export function scheduleError(value: unknown): string | undefined {
  if (!isRecord(value)) return 'must be an object such as {"type": "manual"}.';
  const type = SCHEDULE_TYPES.find((known) => known === value.type);
  if (type === undefined) return `must have a type: ${SCHEDULE_TYPES.join(', ')}.`;
  if (Object.keys(value).some((name) => !PROPERTIES[type].includes(name))) {
    return `of type ${type} can contain only: ${PROPERTIES[type].join(', ')}.`;
  }
  if (value.timezone !== undefined && !(typeof value.timezone === 'string' && isTimeZone(value.timezone))) {
    return 'has an invalid timezone; use an IANA name such as Europe/Berlin.';
  }
  return ERRORS[type]?.(value);
}

const ERRORS: Partial<Record<Schedule['type'], (value: Record<string, unknown>) => string | undefined>> = {
  cron: ({ expression }) => cronError(expression),
  interval: intervalError,
  monthly: monthlyError,
};

function intervalError({ every, on, start }: Record<string, unknown>): string | undefined {
  if (typeof every !== 'string' || !EVERY.test(every)) {
    return 'must have every: a number up to 9999 followed by m, h, d or w, such as 2w.';
  }
  if (on !== undefined && !(typeof on === 'string' && WEEKDAYS.includes(on.toLowerCase())))
    return `has an invalid on; use a day of the week: ${WEEKDAYS.join(', ')}.`;
  if (on !== undefined && !every.endsWith('w')) return 'can have on only if every is a number of weeks, such as 1w.';
  const isInstant = start === undefined || (typeof start === 'string' && parseInstant(start) !== undefined);
  return isInstant ? undefined : 'has an invalid start; use a date-time with an offset.';
}

/** The next time strictly after an instant; undefined if there is none. */
export function nextTime(schedule: Schedule, after: Date, defaults: ScheduleDefaults): Date | undefined {
  if (schedule.type === 'manual') return undefined;
  const timezone = schedule.timezone ?? defaults.timezone;
  const next = nextOf(schedule, after, timezone, defaults.start);
  return next !== undefined && next.getUTCFullYear() <= 9999 ? next : undefined;
}

function nextOf(
  schedule: Exclude<Schedule, { type: 'manual' }>,
  after: Date,
  timezone: string,
  defaultStart: Date,
): Date | undefined {
  if (schedule.type === 'cron') return nextOfCron(schedule.expression, after, timezone);
  if (schedule.type === 'monthly') return nextOfMonthly(schedule.on, schedule.time ?? MIDNIGHT, after, timezone);
  const start = parseInstant(schedule.start ?? '') ?? defaultStart;
  const first = schedule.on === undefined ? start : nextWeekday(start, schedule.on, timezone);
  return nextOfInterval(schedule.every, first, after, timezone);
}

/** The first such day of the week from an instant on, at the same time of day in the zone. */
function nextWeekday(start: Date, weekday: string, timezone: string): Date {
  const days = WEEKDAYS.indexOf(weekday.toLowerCase()) - new Date(wallTimeAt(start.getTime(), timezone)).getUTCDay();
  return addDays(start, (days + 7) % 7, timezone);
}

/** The next `count` times after an instant. */
export function nextTimes(schedule: Schedule, after: Date, count: number, defaults: ScheduleDefaults): Date[] {
  const times: Date[] = [];
  for (let last: Date | undefined = after; times.length < count; times.push(last)) {
    last = nextTime(schedule, last, defaults);
    if (last === undefined) break;
  }
  return times;
}

/** Minutes and hours are lengths of time; days and weeks keep the time of day in the zone. */
function nextOfInterval(every: string, start: Date, after: Date, timezone: string): Date {
  const [, number, unit] = EVERY.exec(every) as unknown as [string, string, keyof typeof UNIT_MS];
  const step = Number(number) * UNIT_MS[unit];
  if (start > after) return start;
  const passed = Math.floor((after.getTime() - start.getTime()) / step);
  if (unit === 'm' || unit === 'h') return new Date(start.getTime() + (passed + 1) * step);
  // Because of changes of the clock, the estimate can be off by one in either direction.
  for (let count = Math.max(passed - 1, 0); ; count += 1) {
    const time = addDays(start, (count * step) / DAY_MS, timezone);
    if (time > after) return time;
  }
}
