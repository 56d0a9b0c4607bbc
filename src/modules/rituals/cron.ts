import { Cron } from 'croner';
import { instantOfWallTime, offsetChange, wallTimeAt } from '../../common/time.js';

const MOST_EXPRESSION = 200;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The five fields: their least and greatest values, and what these are also called, from the least on. */
const FIELDS: readonly { least: number; greatest: number; names: readonly string[] }[] = [
  { least: 0, greatest: 59, names: [] },
  { least: 0, greatest: 23, names: [] },
  { least: 1, greatest: 31, names: [] },
  { least: 1, greatest: 12, names: MONTHS },
  // Sunday is 0 and 7.
  { least: 0, greatest: 7, names: DAYS },
];

/** `*`, a value or a range; of `*` and of a range also every so many. */
const ITEM = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/;

/** The problem of a cron expression as the end of a sentence. Extensions of croner beyond plain cron are rejected. */
export function cronError(expression: unknown): string | undefined {
  const isExpression = typeof expression === 'string' && expression.length <= MOST_EXPRESSION;
  const fields = isExpression ? expression.trim().split(/\s+/) : [];
  if (fields.length !== FIELDS.length) {
    return 'must have an expression with five fields: minute, hour, day of month, month, day of week.';
  }
  if (!fields.every((field, index) => field.split(',').every((item) => isItem(item, index)))) {
    return 'has an invalid expression; each field accepts *, values, ranges, lists and steps.';
  }
  return cronOf(String(expression)).nextRun() === null ? 'has an expression that never matches a time.' : undefined;
}

function isItem(item: string, index: number): boolean {
  const form = ITEM.exec(item);
  if (form === null) return false;
  const [, from, to, step] = form;
  if (step !== undefined && (Number(step) === 0 || Number(step) > FIELDS[index].greatest)) return false;
  if (from === undefined) return true;
  const [first, last] = [valueOf(from, index), valueOf(to ?? from, index)];
  return first !== undefined && last !== undefined && first <= last && (step === undefined || to !== undefined);
}

function valueOf(word: string, index: number): number | undefined {
  const { least, greatest, names } = FIELDS[index];
  const named = names.indexOf(word.toUpperCase());
  if (named >= 0) return least + named;
  const value = /^\d{1,2}$/.test(word) ? Number(word) : NaN;
  return value >= least && value <= greatest ? value : undefined;
}

/** On a clock without changes: what the expression says of the wall is worked out apart from what the zone makes of it. */
const cronOf = (expression: string): Cron => new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });

/**
 * The next time strictly after an instant, undefined where there is none. A time that the clock of the zone jumps over
 * comes at the first instant after the jump; one that comes twice is taken the first time, but by expressions for every
 * hour, or every so many hours, which go on through both.
 */
export function nextOfCron(expression: string, after: Date, timezone: string): Date | undefined {
  const cron = cronOf(expression);
  const isHourly = expression.trim().split(/\s+/)[1].startsWith('*');
  const next = (isHourly ? nextThrough : nextOnce)(cron, after.getTime(), timezone);
  return next === undefined ? undefined : new Date(next);
}

const nextWall = (cron: Cron, wall: number): number | undefined => cron.nextRun(new Date(wall))?.getTime();

function nextOnce(cron: Cron, after: number, timezone: string): number | undefined {
  let wall = nextWall(cron, wallTimeAt(after, timezone));
  while (wall !== undefined) {
    const instant = instantOfWallTime(wall, timezone);
    if (instant > after) return instant;
    wall = nextWall(cron, wall);
  }
  return undefined;
}

function nextThrough(cron: Cron, after: number, timezone: string): number | undefined {
  let [from, wall, unchangedSince] = [after, wallTimeAt(after, timezone), after];
  for (;;) {
    const next = nextWall(cron, wall);
    if (next === undefined) return undefined;
    const instant = from + (next - wall);
    const change = offsetChange(unchangedSince, instant, timezone);
    if (change === undefined) return instant;
    const [old, now] = [wall + (change - from), wallTimeAt(change, timezone)];
    // The clock jumps over it.
    if (next >= old && next < now) return change;
    [from, wall, unchangedSince] = [change - 1, now - 1, change];
  }
}
