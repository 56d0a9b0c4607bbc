import { instantOfWallTime, parseDay, parseInstant } from '../../../common/time.js';
import { monthOf } from './months.js';

/** The order of day, month and year in dates of numbers. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD';

/** How dates without an offset or a name of the month are read. */
export interface DateRules {
  /** The order of numbers; without it, dates that can be read in two ways are ambiguous. */
  order?: DateOrder;
  /** The IANA time zone of times without an offset. */
  timezone: string;
}

/** A date that was read: a day, and an instant if it has a time. */
export interface ReadDate {
  /** `YYYY-MM-DD`, as written in the file. */
  day: string;
  /** RFC 3339 in UTC; absent if the text is only a day. */
  instant?: string;
  /** Whether the time is midnight as written, which some systems add to days. */
  isMidnight: boolean;
}

const CLOCK = String.raw`(?:[,T ]*\s*(午前|午後)?\s*(\d{1,2})(?::|時)(\d\d)(?::(\d\d)(?:[.,]\d+)?)?分?\s*([ap]\.?\s?m\.?|午前|午後)?)?`;
const ZONE = String.raw`\s*(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d\d:?\d\d)?(?:\s*\([^)]*\))?`;
const END = `${CLOCK}${ZONE}$`;
const WEEKDAY = String.raw`^(?:\p{L}{2,9}\.?,?\s+)?`;
const NUMBERS = new RegExp(String.raw`^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?${END}`, 'iu');
const DAY_NAME = new RegExp(
  String.raw`${WEEKDAY}(\d{1,2})\.?(?:[/ -]|\s+de\s+)+(\p{L}{3,12}\.?|\d{1,2}月)(?:[/ ,-]|\s+de\s+)+(\d{2}|\d{4})${END}`,
  'iu',
);
const NAME_DAY = new RegExp(String.raw`${WEEKDAY}(\p{L}{3,12}\.?)\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${END}`, 'iu');
const CJK = new RegExp(String.raw`^(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日${END}`, 'iu');

/** Longer texts are no dates; the limit keeps the patterns cheap. */
const MAX_LENGTH = 100;

/** Reads a date in a form of common systems; `ambiguous` if it can be read in two ways, undefined if in none. */
export function dateOf(text: string, rules: DateRules): ReadDate | 'ambiguous' | undefined {
  const form = text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();
  if (form.length > MAX_LENGTH) return undefined;
  return isoDateOf(form, rules) ?? cjkDateOf(form, rules) ?? namedDateOf(form, rules) ?? numericDateOf(form, rules);
}

function isoDateOf(form: string, rules: DateRules): ReadDate | undefined {
  if (parseDay(form) !== undefined) return { day: form, isMidnight: false };
  const [, day, hour, minute, second = ':00', zone = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(:\d\d(?:[.,]\d+)?)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i.exec(form) ?? [];
  if (day === undefined) return undefined;
  const offset = offsetOf(zone);
  const time = `${day}T${hour}:${minute}${second.replace(',', '.')}`;
  const isMidnight = hour === '00' && minute === '00' && Number(second.slice(1).replace(',', '.')) === 0;
  const instant = offset === undefined ? localInstant(time, rules) : parseInstant(`${time}${offset}`);
  return instant && { day, instant: instant.toISOString(), isMidnight };
}

function cjkDateOf(form: string, rules: DateRules): ReadDate | undefined {
  const [, year, month, day, ...clock] = CJK.exec(form) ?? [];
  return year === undefined ? undefined : dateFrom(Number(year), Number(month), Number(day), clock, rules);
}

function namedDateOf(form: string, rules: DateRules): ReadDate | undefined {
  const [, day, month = '', year, ...clock] = DAY_NAME.exec(form) ?? [];
  if (day !== undefined) return dateFrom(fullYear(year), monthOf(month), Number(day), clock, rules);
  const [, name = '', number, fourDigits, ...time] = NAME_DAY.exec(form) ?? [];
  return number === undefined ? undefined : dateFrom(Number(fourDigits), monthOf(name), Number(number), time, rules);
}

/** A date with dots has the day first; otherwise the given order, or the only one in which it is a date. */
function numericDateOf(form: string, rules: DateRules): ReadDate | 'ambiguous' | undefined {
  const [, first, separator, middle, last, ...clock] = NUMBERS.exec(form) ?? [];
  if (first === undefined) return undefined;
  const isYearFirst = first.length > 2;
  if (first.length === 3 || last.length === 3 || (isYearFirst && last.length > 2)) return undefined;
  const readAs = (order: DateOrder): ReadDate | undefined => {
    const [year, month, day] = {
      DMY: [last, middle, first],
      MDY: [last, first, middle],
      YMD: [first, middle, last],
    }[order];
    return day.length > 2 || month.length > 2 || year.length < 2
      ? undefined
      : dateFrom(fullYear(year), Number(month), Number(day), clock, rules);
  };
  if (isYearFirst) return readAs('YMD');
  if (last.length > 2 && separator === '.' && rules.order !== 'MDY') return readAs('DMY');
  if (rules.order !== undefined) {
    return readAs(rules.order === 'YMD' && last.length > 2 ? 'DMY' : rules.order);
  }
  const orders: DateOrder[] = last.length > 2 ? ['DMY', 'MDY'] : ['DMY', 'MDY', 'YMD'];
  const readings = new Map(orders.map(readAs).flatMap((date) => (date === undefined ? [] : [[date.day, date]])));
  return readings.size > 1 ? 'ambiguous' : [...readings.values()].at(0);
}

const fullYear = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));

function dateFrom(
  year: number,
  month: number | undefined,
  dayOfMonth: number,
  [half, hour, minute = '', second = '0', latinHalf = '', zone = '']: (string | undefined)[],
  rules: DateRules,
): ReadDate | undefined {
  if (month === undefined) return undefined;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${year}-${two(month)}-${two(dayOfMonth)}`;
  if (parseDay(day) === undefined) return undefined;
  if (hour === undefined) return { day, isMidnight: false };
  const isAfternoon = [half, latinHalf].includes('午後') || latinHalf.toLowerCase().startsWith('p');
  const hasHalf = half !== undefined || latinHalf !== '';
  if (hasHalf && Number(hour) > 12) return undefined;
  const hours = hasHalf ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour);
  const time = `${day}T${two(hours)}:${minute}:${two(Number(second))}`;
  const offset = offsetOf(zone);
  const instant = offset === undefined ? localInstant(time, rules) : parseInstant(`${time}${offset}`);
  const isMidnight = hours === 0 && Number(minute) === 0 && Number(second) === 0;
  return instant && { day, instant: instant.toISOString(), isMidnight };
}

/** Returns the offset as in RFC 3339; undefined if the text has none. */
function offsetOf(zone: string): string | undefined {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign !== undefined) return `${sign}${hours}:${minutes}`;
  return zone === '' ? undefined : 'Z';
}

/** Returns the instant at which the clock of the time zone shows the time. */
function localInstant(time: string, { timezone }: DateRules): Date | undefined {
  const wall = parseInstant(`${time}Z`);
  if (wall === undefined || timezone === 'UTC') return wall;
  const milliseconds = wall.getTime() % 1_000;
  return new Date(instantOfWallTime(wall.getTime() - milliseconds, timezone) + milliseconds);
}

/** Returns the order that an option such as `DD/MM/YYYY` or `mdy` names. */
export function dateOrderOf(format: string): DateOrder | undefined {
  const order = format
    .toUpperCase()
    .replaceAll(/[^DMY]/g, '')
    .replaceAll(/(.)\1+/g, '$1');
  return order === 'DMY' || order === 'MDY' || order === 'YMD' ? order : undefined;
}

/** The order in dates of a language; undefined for English, which has two. */
export function orderIn(language: string): DateOrder | undefined {
  if (/^en-(?:us|ph)$/i.test(language)) return 'MDY';
  if (/^en-\w/i.test(language)) return 'DMY';
  return ({ de: 'DMY', fr: 'DMY', es: 'DMY', pt: 'DMY', ja: 'YMD' } as const)[language.slice(0, 2).toLowerCase()];
}
