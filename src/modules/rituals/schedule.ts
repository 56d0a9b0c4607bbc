import { isRecord } from '../../common/json.js';
import { addDays, isTimeZone, parseInstant } from '../../common/time.js';
import { cronError, nextOfCron } from './cron.js';

/** When a ritual is to be done, as it is kept and shown. */
export type Schedule =
  | { type: 'manual' }
  | { type: 'cron'; expression: string; timezone?: string }
  | { type: 'interval'; every: string; start?: string; timezone?: string };

/** What a schedule leaves open: the zone where it names none, and when an interval without a start began. */
export interface Frame {
  timezone: string;
  began: Date;
}

export const SCHEDULE_TYPES = ['manual', 'cron', 'interval'] as const;

const PROPERTIES: Record<Schedule['type'], readonly string[]> = {
  manual: ['type'],
  cron: ['type', 'expression', 'timezone'],
  interval: ['type', 'every', 'start', 'timezone'],
};
const EVERY = /^([1-9]\d{0,3})([mhdw])$/;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNIT_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS, w: 7 * DAY_MS };

/** The properties that a schedule of the type of this one may have; its type alone where that is unknown. */
export function schedulePropertiesOf(value: unknown): readonly string[] {
  const type = SCHEDULE_TYPES.find((known) => isRecord(value) && known === value.type);
  return type === undefined ? ['type'] : PROPERTIES[type];
}

/** What keeps a JSON value from being a schedule, as the end of a sentence about it; undefined where nothing does. */
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
  return type === 'cron' ? cronError(value.expression) : type === 'interval' ? intervalFault(value) : undefined;
}

function intervalFault({ every, start }: Record<string, unknown>): string | undefined {
  if (typeof every !== 'string' || !EVERY.test(every)) {
    return 'must have every: a number up to 9999 followed by m, h, d or w, such as 2w.';
  }
  const isInstant = start === undefined || (typeof start === 'string' && parseInstant(start) !== undefined);
  return isInstant ? undefined : 'has an invalid start; use a date-time with an offset.';
}

/** The next time strictly after an instant; undefined where there is none. */
export function nextTime(schedule: Schedule, after: Date, frame: Frame): Date | undefined {
  if (schedule.type === 'manual') return undefined;
  const timezone = schedule.timezone ?? frame.timezone;
  const next =
    schedule.type === 'cron'
      ? nextOfCron(schedule.expression, after, timezone)
      : nextOfInterval(schedule.every, parseInstant(schedule.start ?? '') ?? frame.began, after, timezone);
  return next !== undefined && next.getUTCFullYear() <= 9999 ? next : undefined;
}

/** The next times after an instant. */
export function nextTimes(schedule: Schedule, after: Date, count: number, frame: Frame): Date[] {
  const times: Date[] = [];
  for (let last: Date | undefined = after; times.length < count; times.push(last)) {
    last = nextTime(schedule, last, frame);
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
  // A change of the clock can put the estimate off by one in either direction.
  for (let count = Math.max(passed - 1, 0); ; count += 1) {
    const time = addDays(start, (count * step) / DAY_MS, timezone);
    if (time > after) return time;
  }
}
