import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { RefusedLine } from '../reading/import-format.js';
import { dateOf } from '../words/dates.js';

/** Returns the text of a string or number; undefined for other values and blank text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Returns a record's own property, so that names such as `constructor` are not found. */
export const ownOf = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export const recordsOf = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const textListOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : [];

/** Reads a property under the first of these names that the record has: undefined without one, null if it is empty. */
export function saidOf<V>(
  data: JsonRecord,
  names: readonly string[],
  read: (value: unknown, name: string) => V | undefined,
): V | null | undefined {
  const name = names.find((own) => Object.hasOwn(data, own));
  if (name === undefined) return undefined;
  return isEmpty(data[name]) ? null : read(data[name], name);
}

/** Whether a value of JSON says nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmpty);
  return isRecord(value) && Object.values(value).every(isEmpty);
}

/** Parses a time of an export: RFC 3339, or a date, which means midnight UTC. */
export function timeOf(value: unknown, name: string): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  const date = dateOf(text, { timezone: 'UTC' });
  if (date !== undefined && date !== 'ambiguous') return date.instant ?? `${date.day}T00:00:00.000Z`;
  throw new RefusedLine(
    `${name} must be a date such as 2026-11-20 or 2026-11-20T10:00:00Z.`,
    undefined,
    'invalid_date',
  );
}

/** Splits lists of names that are separated by spaces. */
export const namesIn = (...lists: readonly string[]): string[] => lists.flatMap((list) => list.split(' '));
