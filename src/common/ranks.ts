import { newId } from './ids.js';

/** The digits of ranks, in the order of their bytes. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SMALLEST = DIGITS[0];
/** The first digits of a rank leave room for many ranks before it and behind it. */
const HEAD = 8;
const RANK = /^[0-9A-Za-z]{1,200}$/;

/** Ranks with more digits are made shorter by a job; those of ids have 32. */
export const LONG_RANK = 64;
/** Ranks with at most this many digits stay as they are then. */
export const SHORT_RANK = 40;

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

/**
 * Shorter ranks for entities in a row, which are now in the order of `ranks`, between two others: spread evenly, for at
 * most `most` of them from the place `from` on, in the same order also among those that stay. Undefined if there are no
 * others, as between ranks that differ only in the smallest digit behind them.
 */
export function spreadRanks(
  ranks: readonly string[],
  { lower = '', upper, most }: { lower?: string; upper?: string; most: number },
): { from: number; ranks: string[] } | undefined {
  const spread = evenlyBetween(lower, upper, ranks.length);
  const starts = [0];
  for (let rest = ranks.length - most; rest > 0; rest -= most) starts.push(rest);
  const from = starts.find((start) => {
    const part = spread.slice(start, start + most);
    const behind = start + part.length;
    return (
      part.some((rank, at) => rank !== ranks[start + at]) &&
      (start === 0 || part[0] > ranks[start - 1]) &&
      (behind === ranks.length || spread[behind - 1] < ranks[behind])
    );
  });
  return from === undefined ? undefined : { from, ranks: spread.slice(from, from + most) };
}

/** Ranks between two others at equal distances, with as few digits as leave room between them; empty if there are none. */
function evenlyBetween(lower: string, upper: string | undefined, count: number): string[] {
  const base = BigInt(DIGITS.length);
  const longest = Math.max(lower.length, upper?.length ?? 0) + HEAD;
  for (let length = 1; length <= longest; length += 1) {
    const from = numberOf(lower, length);
    const step = ((upper === undefined ? base ** BigInt(length) : numberOf(upper, length)) - from) / BigInt(count + 1);
    if (step < base) continue;
    return Array.from({ length: count }, (_, at) => {
      const number = from + step * BigInt(at + 1);
      return textOf(number % base === 0n ? number + 1n : number, length);
    });
  }
  return [];
}

/** The number of the first digits of a rank. */
const numberOf = (rank: string, length: number): bigint =>
  Array.from(rank.slice(0, length).padEnd(length, SMALLEST), valueOf).reduce(
    (number, digit) => number * BigInt(DIGITS.length) + BigInt(digit),
    0n,
  );

function textOf(number: bigint, length: number): string {
  let [text, rest] = ['', number];
  for (let at = 0; at < length; at += 1) {
    text = DIGITS[Number(rest % BigInt(DIGITS.length))] + text;
    rest /= BigInt(DIGITS.length);
  }
  return text;
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
