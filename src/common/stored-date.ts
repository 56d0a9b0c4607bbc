import { invalidField } from './errors.js';
import { dayEdge, parseDay, parseInstant, type DateOrDateTimeText, type DayEdge } from './time.js';

/** A date as it is stored: a day with the instant that is derived from it, or an instant without a day. */
export interface StoredDate {
  /** `YYYY-MM-DD`; null for an instant. */
  day: string | null;
  instant: Date | null;
}

/** A date as a client sends it: a day or an instant in `date`, or a day in `day`. */
export interface SentDate {
  date: DateOrDateTimeText | null | undefined;
  day: string | null | undefined;
}

/** How a date is understood. */
interface DateContext {
  /** The wire names of the two properties, for errors. */
  names: { date: string; day: string };
  edge: DayEdge;
  /** The time zone of its days, looked up only if it is needed. */
  timezone: () => Promise<string>;
  /** What is stored at present. */
  current?: StoredDate;
}

const NONE: StoredDate = { day: null, instant: null };

/**
 * The date that a request sets; undefined if it changes nothing. A day stays a day: the instant that is shown for it,
 * when it is sent back, does not replace it (spec 01, Time). 400 if the two properties contradict each other.
 */
export async function storedDateOf(sent: SentDate, context: DateContext): Promise<StoredDate | undefined> {
  const { date, day } = sent;
  if (typeof day === 'string') {
    if (date !== undefined && date !== day && !(await isInstantOf(day, date, context))) throw contradiction(context);
    return storedDay(day, context);
  }
  if (date === undefined) return day === null ? NONE : undefined;
  if (date === null) return NONE;
  if (parseDay(date) === undefined) return storedInstant(date, day, context);
  if (day === null) throw contradiction(context);
  return storedDay(date, context);
}

/** The date without its instant, which the database derives when it inserts the row. */
export async function newDateOf(sent: SentDate, context: DateContext): Promise<StoredDate> {
  return (await storedDateOf(sent, context)) ?? NONE;
}

async function storedDay(day: string, { current, edge, timezone }: DateContext): Promise<StoredDate | undefined> {
  if (current === undefined) return { day, instant: null };
  return current.day === day ? undefined : { day, instant: edgeOf(day, edge, await timezone()) };
}

function storedInstant(date: string, day: null | undefined, { current, names }: DateContext): StoredDate | undefined {
  if (day === undefined && current?.day != null && isShown(date, current)) return undefined;
  const instant = parseInstant(date);
  if (instant !== undefined) return { day: null, instant };
  throw invalidField(names.date, 'invalid_date', `${names.date} must be within the years 1970 to 9999 in UTC.`);
}

async function isInstantOf(day: string, date: string | null, context: DateContext): Promise<boolean> {
  const { current, edge, timezone } = context;
  if (date === null || parseDay(date) !== undefined) return false;
  if (current?.day === day) return isShown(date, current);
  return Date.parse(date) === edgeOf(day, edge, await timezone()).getTime();
}

const isShown = (date: string, { instant }: StoredDate): boolean => Date.parse(date) === instant?.getTime();

function edgeOf(day: string, edge: DayEdge, timezone: string): Date {
  const parsed = parseDay(day);
  if (parsed === undefined) throw new RangeError('not a day');
  return dayEdge(parsed, edge, timezone);
}

const contradiction = ({ names: { date, day } }: DateContext): Error =>
  invalidField(day, 'invalid_value', `${day} and ${date} contradict each other; send one of them.`);
