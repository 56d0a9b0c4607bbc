import { parseDay, parseInstant } from '../../../common/time.js';
import { isRecord, type JsonRecord } from '../../../common/json.js';
import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import type { ImportOptions, ImportedPerson } from '../import-format.js';
import { RefusedLine } from '../import-format.js';

/** Returns the text of a string or number; undefined for other values and blank text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns a title as a single line. */
export const titleOf = (value: unknown): string => (textOf(value) ?? '').replaceAll(/\s+/g, ' ').trim();

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Returns a record's own property, so that names such as `constructor` are not found. */
export const ownOf = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export const recordsOf = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Parses a time: RFC 3339, `2026-11-20 10:00:00`, `2026-11-20T10:00:00.000+0000`, or a date, which means midnight UTC. */
export function timeOf(value: unknown, name: string): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  const form = text
    .replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/, '$1T$2')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
    .replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/, '$1:00$2')
    .replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)$/, '$1Z');
  const instant = parseInstant(form) ?? (parseDay(form) && new Date(`${form}T00:00:00Z`));
  if (instant !== undefined) return instant.toISOString();
  throw new RefusedLine(
    `${name} must be a date such as 2026-11-20 or 2026-11-20T10:00:00Z.`,
    undefined,
    'invalid_date',
  );
}

/** Returns a date as it is, and parses everything else as a time. */
export function importedDueDate(value: unknown, name: string): string | undefined {
  const text = textOf(value)?.trim();
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? text : timeOf(value, name);
}

export function numberOf(value: unknown, name: string): number | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  const number = Number(/^\d+,\d+$/.test(text) ? text.replace(',', '.') : text);
  if (Number.isFinite(number)) return number;
  throw new RefusedLine(`${name} must be a number.`, undefined, 'invalid_type');
}

const WORDS: Record<TaskStatus, RegExp> = {
  planned: /^(?:planned|open|new|to ?do|backlog|reopened|assigned|pending)$/i,
  active: /^(?:active|in[ _-]?progress|doing|started|in[ _-]?review)$/i,
  done: /^(?:done|closed|resolved|complete[d]?|fixed)$/i,
  canceled: /^(?:cancel[l]?ed|rejected|won'?t[ _]?(?:do|fix)|wontfix|invalid|duplicate|not[ _]planned)$/i,
};

/** Returns the status by the mapping of the request or, without one, by common words; rejects unknown words. */
export function statusOf(value: unknown, { statuses = {} }: ImportOptions): TaskStatus | undefined {
  const word = textOf(value)?.trim();
  if (word === undefined) return undefined;
  const own = Object.entries(statuses).find(([name]) => name.toLowerCase() === word.toLowerCase());
  const status = own?.[1] ?? TASK_STATUSES.find((name) => WORDS[name].test(word));
  if (status !== undefined) return status;
  throw new RefusedLine('The status is unknown; name it in options.statuses.', undefined, 'invalid_value');
}

export function personOf(value: unknown): ImportedPerson | undefined {
  const text = textOf(value)?.trim();
  return text === undefined ? undefined : { name: text, login: text, ...(text.includes('@') && { email: text }) };
}
