import { Cron } from 'croner';
import { instantOfWallTime, offsetChange, wallTimeAt } from '../../../common/time.js';

const MAX_EXPRESSION = 200;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The five fields: their minimum and maximum, and the names of their values from the minimum on. */
const FIELDS: readonly { min: number; max: number; names: readonly string[] }[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  // Sunday is both 0 and 7.
  { min: 0, max: 7, names: DAYS },
];

/** `*`, a value or a range; `*` and a range can have a step. */
const ITEM = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/;

/** The error in a cron expression, as the end of a sentence. Rejects the extensions of croner to standard cron. */
export function cronError(expression: unknown): string | undefined {
  const isExpression = typeof expression === 'string' && expression.length <= MAX_EXPRESSION;
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
  const match = ITEM.exec(item);
  if (match === null) return false;
  const [, from, to, step] = match;
  if (step !== undefined && (Number(step) === 0 || Number(step) > FIELDS[index].max)) return false;
  if (from === undefined) return true;
  const [first, last] = [valueOf(from, index), valueOf(to ?? from, index)];
  return first !== undefined && last !== undefined && first <= last && (step === undefined || to !== undefined);
}

function valueOf(word: string, index: number): number | undefined {
  const { min, max, names } = FIELDS[index];
  const position = names.indexOf(word.toUpperCase());
  if (position >= 0) return min + position;
  const value = /^\d{1,2}$/.test(word) ? Number(word) : NaN;
  return value >= min && value <= max ? value : undefined;
}

/** Evaluates the expression in wall time, represented as UTC; the functions below convert wall times to instants. */
const cronOf = (expression: string): Cron => new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });

/**
 * The next time strictly after an instant; undefined if there is none. A wall time that is skipped when clocks go
 * forward becomes the first instant after the change. A wall time that occurs twice when clocks go back is used once,
 * the first time; expressions with `*` or a step for hours use both.
 */
export function nextOfCron(expression: string, after: Date, timezone: string): Date | undefined {
  const cron = cronOf(expression);
  const isHourly = expression.trim().split(/\s+/)[1].startsWith('*');
  const next = (isHourly ? nextHourly : nextDaily)(cron, after.getTime(), timezone);
  return next === undefined ? undefined : new Date(next);
}

const nextWall = (cron: Cron, wall: number): number | undefined => cron.nextRun(new Date(wall))?.getTime();

function nextDaily(cron: Cron, after: number, timezone: string): number | undefined {
  let wall = nextWall(cron, wallTimeAt(after, timezone));
  while (wall !== undefined) {
    const instant = instantOfWallTime(wall, timezone);
    if (instant > after) return instant;
    wall = nextWall(cron, wall);
  }
  return undefined;
}

function nextHourly(cron: Cron, after: number, timezone: string): number | undefined {
  let [from, wall, unchangedSince] = [after, wallTimeAt(after, timezone), after];
  for (;;) {
    const next = nextWall(cron, wall);
    if (next === undefined) return undefined;
    const instant = from + (next - wall);
    const change = offsetChange(unchangedSince, instant, timezone);
    if (change === undefined) return instant;
    const [wallBefore, wallAfter] = [wall + (change - from), wallTimeAt(change, timezone)];
    // The change of the clock skips this wall time.
    if (next >= wallBefore && next < wallAfter) return change;
    [from, wall, unchangedSince] = [change - 1, wallAfter - 1, change];
  }
}
