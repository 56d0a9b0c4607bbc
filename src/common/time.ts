/**
 * An instant or day as sent by a client: RFC 3339 with an offset, or `YYYY-MM-DD`. It stays a text until its time zone
 * is known.
 */
export type DateOrDateTimeText = string;

/** Which end of a day a bare `YYYY-MM-DD` stands for. */
export type DayEdge = 'start' | 'end';

/** A calendar day without a time zone; `month` counts from 1. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

const FIRST_INSTANT = Date.UTC(1970, 0, 1);
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const HOUR = 3_600_000;

const DAY_FORM = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT_FORM = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The day of `YYYY-MM-DD`, 1970 to 9999; undefined for an invalid day. */
export function parseDay(value: string): Day | undefined {
  const form = DAY_FORM.exec(value);
  if (!form) return undefined;
  const [year, month, day] = [Number(form[1]), Number(form[2]), Number(form[3])];
  const isReal = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isReal ? { year, month, day } : undefined;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * Parses strict RFC 3339 with an offset, truncated to milliseconds. Undefined for everything else, for leap seconds,
 * and for years outside 1970 to 9999, as written or in UTC.
 */
export function parseInstant(value: string): Date | undefined {
  const form = INSTANT_FORM.exec(value);
  const day = form && parseDay(form[1]);
  if (!form || !day) return undefined;
  const [hour, minute, second] = [Number(form[2]), Number(form[3]), Number(form[4])];
  const [offsetHour, offsetMinute] = [Number(form[7] ?? 0), Number(form[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const milliseconds = Number((form[5] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (form[6] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const instant = Date.UTC(day.year, day.month - 1, day.day, hour, minute - offset, second, milliseconds);
  return instant < FIRST_INSTANT || instant > LAST_INSTANT ? undefined : new Date(instant);
}

/** Whether the value is valid for a field that takes days as well as instants. */
export function isDateOrDateTime(value: string): value is DateOrDateTimeText {
  return parseDay(value) !== undefined || parseInstant(value) !== undefined;
}

/**
 * The instant that a valid `DateOrDateTime` denotes: itself, or that edge of its day in the time zone. Throws on
 * anything else.
 */
export function resolveDateOrDateTime(value: DateOrDateTimeText, edge: DayEdge, timeZone: string): Date {
  const day = parseDay(value);
  const instant = day ? dayEdge(day, edge, timeZone) : parseInstant(value);
  if (!instant) throw new RangeError('neither a date-time nor a date');
  return instant;
}

/**
 * The first instant of a day, or its last whole second, in an IANA time zone. If the clock skips that edge, the first
 * instant after the gap or the last second before it. Clamped to the years 1970 to 9999.
 */
export function dayEdge({ year, month, day }: Day, edge: DayEdge, timeZone: string): Date {
  const wall = edge === 'start' ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, 23, 59, 59);
  const instants = instantsOf(wall, timeZone);
  const jump = (): number => firstInstantAtOrAfter(wall, timeZone);
  const instant = edge === 'start' ? (instants.at(0) ?? jump()) : (instants.at(-1) ?? jump() - 1000);
  return new Date(Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT));
}

/**
 * The same local time that many calendar days later in an IANA time zone. The first one if the time occurs twice, the
 * end of the gap if the clock skips it.
 */
export function addDays(instant: Date, days: number, timeZone: string): Date {
  const fraction = instant.getTime() % 1000;
  const whole = instant.getTime() - fraction;
  const wall = whole + offsetAt(whole, timeZone) + days * 24 * HOUR;
  return new Date(instantOfWallTime(wall, timeZone) + fraction);
}

/** The local time in an IANA time zone at an instant, as milliseconds since 1970 on that clock. */
export function wallTimeAt(instant: number, timeZone: string): number {
  return instant + offsetAt(wholeSecond(instant), timeZone);
}

const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000;

/** The first instant at which a local clock shows that time; if the clock skips it, the first instant after the gap. */
export const instantOfWallTime = (wall: number, timeZone: string): number =>
  instantsOf(wall, timeZone).at(0) ?? firstInstantAtOrAfter(wall, timeZone);

/** The first whole second after `from`, and up to `until`, at which the offset changes; undefined if it does not. */
export function offsetChange(from: number, until: number, timeZone: string): number | undefined {
  const offset = offsetAt(wholeSecond(from), timeZone);
  if (offsetAt(wholeSecond(until), timeZone) === offset) return undefined;
  let [before, after] = [wholeSecond(from) / 1000, wholeSecond(until) / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle * 1000, timeZone) === offset) before = middle;
    else after = middle;
  }
  return after * 1000;
}

/**
 * The instants, earliest first, at which a local clock shows that time: one, two if it is set back, none if it is
 * skipped.
 */
function instantsOf(wall: number, timeZone: string): number[] {
  const offsets = [-24, 0, 24].map((hours) => offsetAt(wall + hours * HOUR, timeZone));
  const candidates = [...new Set(offsets)].map((offset) => wall - offset);
  return candidates.filter((instant) => instant + offsetAt(instant, timeZone) === wall).sort((a, b) => a - b);
}

/** The instant at which the clock skips this local time. */
function firstInstantAtOrAfter(wall: number, timeZone: string): number {
  let [before, after] = [(wall - 36 * HOUR) / 1000, (wall + 36 * HOUR) / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle * 1000 + offsetAt(middle * 1000, timeZone) < wall) before = middle;
    else after = middle;
  }
  return after * 1000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    // Bounded, because clients can send each name in many spellings (upper and lower case) and fill the memory.
    if (clocks.size >= 1000) clocks.clear();
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** The offset from UTC at that instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
}

const ZONE_FORM = /^[A-Z][A-Z0-9_+-]*(?:\/[A-Z0-9_+-]+)*$/i;
/**
 * Node's ICU also accepts three-letter names (PST, IST), `SystemV/...` and two former names that PostgreSQL does not
 * know.
 */
const FOREIGN_ZONE =
  /^(?:systemv\/.*|canada\/east-saskatchewan|us\/pacific-new|(?!UTC|GMT|UCT|CET|EET|MET|WET|EST|MST|HST|PRC|ROC|ROK)[A-Z]{3})$/i;

/** Whether this is the name of an IANA time zone, in upper or lower case; raw offsets are not names. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !ZONE_FORM.test(name) || FOREIGN_ZONE.test(name)) return false;
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Whether this is a well-formed BCP 47 language tag of at most 35 characters. */
export function isLanguageTag(tag: string): boolean {
  if (tag.length > 35) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
