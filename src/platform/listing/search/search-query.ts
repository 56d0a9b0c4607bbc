import { isUnspaced } from '../../../common/texts/unspaced-scripts.js';

/** A word of a search as the index knows it. */
export interface SearchWord {
  /** The text of a tsquery for the word alone. */
  query: string;
  /** Higher for rarer words. */
  weight: number;
}

/** A parsed search by relevance. */
export interface SearchQuery {
  text: string;
  /** The required parts in web-search syntax: quoted phrases, and excluded words. */
  strict: string;
  /** The text of a tsquery for rows with enough of the other words to be ranked; empty if there are none. */
  likely: string;
  /** The number of rows that `likely` finds by the statistics; undefined if it is not known to be small. */
  expectedRows?: number;
  /** All words that count for the rank. */
  words: SearchWord[];
}

/** The parts of a search. */
export interface SearchParts {
  strict: string;
  /** Whether the required parts contain a phrase; then other words are optional. */
  hasPhrase: boolean;
  /** All wanted words, required or not. */
  plain: string;
}

const DASHES = /(?<![\p{L}\p{N}\p{M}])[\p{Pd}\u2212]+/gu;
const EXCLUDES = /^-[\p{L}\p{N}"]/u;

/**
 * The search without dashes that exclude nothing. PostgreSQL fails with more than 32 of them in a row, whatever is
 * between them; folding makes dashes of every kind plain ones.
 */
export const withoutLoneDashes = (text: string): string =>
  text.replaceAll(DASHES, (dashes, at: number) => (EXCLUDES.test(text.slice(at, at + 3)) ? dashes : ' '));

/** Parses a search in web-search syntax: phrases and exclusions are required, other words are optional. */
export function searchPartsOf(text: string): SearchParts {
  const strict: string[] = [];
  const plain: string[] = [];
  let hasPhrase = false;
  for (const [token, minus, phrase] of withoutLoneDashes(text).matchAll(/(-?)"([^"]*)"|\S+/g)) {
    const isExclusion = minus === '-' || (phrase === undefined && /^-[^\s-]/.test(token));
    if (isExclusion || phrase !== undefined) strict.push(token);
    if (isExclusion) continue;
    if (phrase !== undefined) hasPhrase = true;
    else if (token.toLowerCase() === 'or') continue;
    plain.push(phrase ?? token);
  }
  return { strict: strict.join(' '), hasPhrase, plain: plain.join(' ') };
}

/** A word and its share of rows, if the statistics contain it. */
export interface KnownWord {
  word: string;
  share: number;
}

/**
 * The number of rows that can be ranked in time; the estimate is rough, so the real number may be several times higher.
 */
const BUDGET = 4_000;
const MAX_PAIRED = 6;

/** The text of a tsquery, and the number of rows that it finds by the statistics, if it is known to be small. */
export interface LikelyQuery {
  likely: string;
  expectedRows?: number;
}

/**
 * A query for about that many rows that are likely to rank high: those with one of the rarest words; if words are too
 * common, those with two of them; as a last resort, those with all.
 */
export function likelyQuery(known: readonly KnownWord[], rows: number): LikelyQuery {
  const byRarity = [...known].sort((a, b) => a.share - b.share);
  const chosen: string[] = [];
  let expectedRows = 0;
  const add = (share: number, query: string): boolean => {
    const isAffordable = expectedRows + share * rows <= BUDGET;
    if (isAffordable) {
      expectedRows += share * rows;
      chosen.push(query);
    }
    return isAffordable;
  };
  let next = 0;
  while (next < byRarity.length && add(byRarity[next].share, lexemeOf(byRarity[next].word))) next += 1;
  for (const [a, b] of pairsOf(byRarity.slice(next, next + MAX_PAIRED))) {
    add(a.share * b.share, `(${lexemeOf(a.word)} & ${lexemeOf(b.word)})`);
  }
  if (chosen.length === 0) return { likely: byRarity.map(({ word }) => lexemeOf(word)).join(' & ') };
  return { likely: chosen.join(' | '), ...(rows > 0 && { expectedRows }) };
}

/** The weight of each word: ln(1 + 1/share), so that even a word in every row counts a little. */
export const weigh = (known: readonly KnownWord[]): SearchWord[] =>
  known.map(({ word, share }) => ({ query: lexemeOf(word), weight: Math.log(1 + 1 / Math.max(share, 1e-7)) }));

function pairsOf<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b): [T, T] => [a, b]));
}

/** A single character of a script without spaces is found at the beginning of the pairs that are stored. */
const lexemeOf = (word: string): string =>
  `${quote(word)}${Array.from(word).length === 1 && isUnspaced(word) ? ':*' : ''}`;

/** A lexeme in the text of a tsquery. */
export const quote = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
