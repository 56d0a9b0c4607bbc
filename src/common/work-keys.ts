import { withoutQuotes } from './texts/quoted-text.js';

/** The key of a task or demand: the key of its endeavour and its number there, such as `SHOP-42`. */
export const WORK_KEY = /^[A-Za-z][A-Za-z0-9]{1,9}-[1-9][0-9]{0,8}$/;

/** The kinds of entities that have keys. */
export const KEYED_KINDS = ['task', 'demand'] as const;
export type KeyedKind = (typeof KEYED_KINDS)[number];

export const isKeyedKind = (kind: string): kind is KeyedKind => (KEYED_KINDS as readonly string[]).includes(kind);

/** Whether the value has the form of a key; the task or demand need not exist. */
export const isWorkKey = (value: unknown): value is string => typeof value === 'string' && WORK_KEY.test(value);

/** The two parts of a key; keys are stored in upper case. */
export function partsOf(key: string): { prefix: string; number: number } {
  const at = key.lastIndexOf('-');
  return { prefix: key.slice(0, at).toUpperCase(), number: Number(key.slice(at + 1)) };
}

/** Imports keep numbers up to this one, so that those of new work remain short. */
const MOST_IMPORTED = 9_999_999;

/** The number that a task or demand keeps when it is imported; null for a value that is none. */
export const importedNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_IMPORTED ? value : null;

/** The number in a key of another system, such as `SHOP-42`. */
export const numberInKey = (key: string | null): number | null =>
  isWorkKey(key) ? importedNumber(partsOf(key).number) : null;

/** A key in a text: in capitals, and no part of a longer word or compound such as `FIX-SHOP-42` or `SHOP-42-draft`. */
const KEY_IN_TEXT = /(?<![\p{L}\p{N}_-])[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,8}(?![\p{L}\p{N}_]|-[\p{L}\p{N}])/gu;
const MAY_NAME_KEYS = /[A-Z0-9]-[1-9]/;

/** Whether a text can name keys; cheap, and rarely true without reason. */
export const mayNameKeys = (text: string): boolean => MAY_NAME_KEYS.test(text);

/** The different keys that a Markdown text names outside of code and quotes, in their order, at most that many. */
export function keysNamedIn(markdown: string, limit: number): string[] {
  const keys = new Set<string>();
  for (const [key] of withoutQuotes(markdown).matchAll(KEY_IN_TEXT)) {
    keys.add(key);
    if (keys.size === limit) break;
  }
  return [...keys];
}
