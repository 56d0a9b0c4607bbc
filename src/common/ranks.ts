import { newId } from './ids.js';

/** The digits of ranks, in the order of their bytes. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SMALLEST = DIGITS[0];
/** The first digits of a rank leave room for many ranks before it and behind it. */
const HEAD = 8;
const RANK = /^[0-9A-Za-z]{1,200}$/;

const valueOf = (digit: string): number => DIGITS.indexOf(digit);

/**
 * A rank after `lower` and before `upper`, as short as possible; without one of them, there is no bound on that side.
 * Ranks that are made never end in the smallest digit, so that there is always another one before them.
 */
export function rankBetween(lower: string, upper?: string): string {
  if (upper !== undefined) {
    let shared = 0;
    while (shared < upper.length && (lower[shared] ?? SMALLEST) === upper[shared]) shared += 1;
    if (shared === upper.length) return upper;
    if (shared > 0) return upper.slice(0, shared) + rankBetween(lower.slice(shared), upper.slice(shared));
  }
  const from = lower === '' ? 0 : valueOf(lower[0]);
  const to = upper === undefined ? DIGITS.length : valueOf(upper[0]);
  if (to - from > 1) return DIGITS[Math.floor((from + to) / 2)];
  if (upper !== undefined && upper.length > 1) return upper[0];
  return DIGITS[from] + rankBetween(lower.slice(1));
}

/** A rank before all others, of which `first` is the first one. */
export const rankBefore = (first: string): string => neighbourOf(first, -1) ?? rankBetween('', first);

/** A rank behind all others, of which `last` is the last one, and before those that later ids give. */
export function rankBehind(last: string): string {
  const now = rankOfId(newId('task'));
  return now > last ? now : (neighbourOf(last, 1) ?? rankBetween(last));
}

/** The rank of an entity that was never moved: entities that are created later come later. */
export const rankOfId = (id: string): string => id.slice(id.indexOf('_') + 1);

/** The rank that a task or demand keeps when it is imported; null for a value that is none. */
export const importedRank = (value: unknown): string | null =>
  typeof value === 'string' && RANK.test(value) ? value : null;

/** The rank whose head is the one before or behind that of another one; undefined if there is none. */
function neighbourOf(rank: string, step: 1 | -1): string | undefined {
  const head = Array.from(rank.slice(0, HEAD).padEnd(HEAD, SMALLEST), valueOf);
  for (let at = HEAD - 1; at >= 0; at -= 1) {
    const value = head[at] + step;
    head[at] = (value + DIGITS.length) % DIGITS.length;
    if (head[at] !== value) continue;
    const text = head.map((digit) => DIGITS[digit]).join('');
    if (!/[^0]/.test(text)) return undefined;
    return text.endsWith(SMALLEST) ? text + DIGITS[DIGITS.length / 2] : text;
  }
  return undefined;
}
