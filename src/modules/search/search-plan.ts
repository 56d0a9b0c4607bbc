import { isCjk, type Term } from './search-terms.js';

/** How many rows a large table has, and the share of them that has each word of the terms, in their order. */
export interface TableStatistics {
  table: string;
  rows: number;
  shares: readonly number[];
}

/** Among which rows of one table is searched: those that have some of the terms, all that the caller sees, or the newest. */
export type SearchPlan = { by: 'index'; terms: readonly Term[] } | { by: 'all' } | { by: 'newest' };

/** So many entries of an index are read for one term in good time. */
const MOST_ENTRIES = 100_000;
/** So many rows are looked at one by one in good time. */
const MOST_ROWS = 10_000;

interface Table {
  /** Absent where it is small. */
  statistics?: TableStatistics;
  /** The caller sees few of its rows. */
  isFew: boolean;
}

/**
 * Few rows are looked through. Of many, those are looked up that have the terms which are rare enough, where they leave few
 * rows together; words that many rows have are only compared. Where there are none but such, the newest rows have enough of
 * them.
 */
export function planOf(terms: readonly Term[], { statistics, isFew }: Table): SearchPlan {
  const isIndexed = !terms.some(({ typed }) => isCjk(typed));
  if (isFew) return { by: 'all' };
  if (statistics === undefined) return isIndexed ? { by: 'index', terms } : { by: 'all' };
  const { rows } = statistics;
  const rare = sharesOf(terms, statistics.shares).filter(({ share }) => share * rows <= MOST_ENTRIES);
  const found = rare.reduce((expected, { share }) => expected * share, rows);
  if (!isIndexed || rare.length === 0 || found > MOST_ROWS) return { by: 'newest' };
  return { by: 'index', terms: rare.map(({ term }) => term) };
}

/** A term is as rare as the rarest of its words. */
function sharesOf(terms: readonly Term[], shares: readonly number[]): { term: Term; share: number }[] {
  let next = 0;
  return terms.map((term) => {
    const own = shares.slice(next, next + term.words.length);
    next += term.words.length;
    return { term, share: Math.min(1, ...own) };
  });
}
