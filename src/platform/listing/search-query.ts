/** A word of a search as the index knows it. */
export interface SearchWord {
  /** It alone, as the text of a tsquery. */
  query: string;
  /** The rarer, the more it says. */
  weight: number;
}

/** A search by relevance, taken apart. */
export interface SearchQuery {
  text: string;
  /** What must be so, in web-search syntax: quoted phrases, and words with a minus. */
  strict: string;
  /** The text of a tsquery for what has enough of the other words to be worth ranking; empty where there are none. */
  likely: string;
  /** All words that count for the rank. */
  words: SearchWord[];
}

/** The parts of a search as it was typed. */
export interface Parts {
  strict: string;
  /** Whether a phrase is among the strict parts; then nothing else need be there. */
  hasPhrase: boolean;
  /** Everything that is wanted, strictly or not, as plain words. */
  plain: string;
}

/** Takes a search in web-search syntax apart: phrases and exclusions are strict, all other words are wishes. */
export function partsOf(text: string): Parts {
  const strict: string[] = [];
  const plain: string[] = [];
  let hasPhrase = false;
  for (const [token, minus, phrase] of text.matchAll(/(-?)"([^"]*)"|\S+/g)) {
    const isExclusion = minus === '-' || (phrase === undefined && /^-[^\s-]/.test(token));
    if (isExclusion || phrase !== undefined) strict.push(token);
    if (isExclusion) continue;
    if (phrase !== undefined) hasPhrase = true;
    else if (token.toLowerCase() === 'or') continue;
    plain.push(phrase ?? token);
  }
  return { strict: strict.join(' '), hasPhrase, plain: plain.join(' ') };
}

/** A word and the share of rows that have it, as far as the statistics of the table know. */
export interface KnownWord {
  word: string;
  share: number;
}

/** So many rows are found by rank in good time; the estimate is rough, so the real number may be some times that. */
const BUDGET = 4_000;
const MOST_PAIRED = 6;

/**
 * A query that finds the rows that are likely to rank high, among so many: those with one of the rarest words, and,
 * where words are too common for that, those with two of them. Without any choice left, those with all.
 */
export function likelyQuery(known: readonly KnownWord[], rows: number): string {
  const byRarity = [...known].sort((a, b) => a.share - b.share);
  const chosen: string[] = [];
  let found = 0;
  let next = 0;
  while (next < byRarity.length && found + byRarity[next].share * rows <= BUDGET) {
    found += byRarity[next].share * rows;
    chosen.push(quote(byRarity[next].word));
    next += 1;
  }
  for (const [a, b] of pairsOf(byRarity.slice(next, next + MOST_PAIRED))) {
    found += a.share * b.share * rows;
    if (found <= BUDGET) chosen.push(`(${quote(a.word)} & ${quote(b.word)})`);
  }
  if (chosen.length > 0) return chosen.join(' | ');
  return byRarity.map(({ word }) => quote(word)).join(' & ');
}

/** How much each word says: ln(1 + 1/share), so that a word that every row has still says a little. */
export const weigh = (known: readonly KnownWord[]): SearchWord[] =>
  known.map(({ word, share }) => ({ query: quote(word), weight: Math.log(1 + 1 / Math.max(share, 1e-7)) }));

function pairsOf<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b): [T, T] => [a, b]));
}

/** A lexeme in the text of a tsquery. */
export const quote = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
