import { isCjk, type Term } from './search-terms.js';

/** How many rows a large table has, and the share of them that has each word of the terms, in their order. */
export interface TableStatistics {
  table: string;
  rows: number;
  shares: readonly number[];
}

/** Which rows of a table are searched: those with some of the terms, all visible ones, or the newest. */
export type SearchPlan = { by: 'index'; terms: readonly Term[] } | { by: 'all' } | { by: 'newest' };

/** The number of index entries that can be read for one term in time. */
const MOST_ENTRIES = 100_000;
/** The number of rows that can be scanned in time. */
const MOST_ROWS = 10_000;

interface Table {
  /** Absent where it is small. */
  statistics?: TableStatistics;
  /** The caller sees few of its rows. */
  isFew: boolean;
}

/**
 * Few rows are scanned. Otherwise, rare terms are looked up in the index if they select few rows, and common words are
 * only compared. If all terms are common, the newest rows contain enough of them.
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

/** The share of a term is that of its rarest word. */
function sharesOf(terms: readonly Term[], shares: readonly number[]): { term: Term; share: number }[] {
  let next = 0;
  return terms.map((term) => {
    const own = shares.slice(next, next + term.words.length);
    next += term.words.length;
    return { term, share: Math.min(1, ...own) };
  });
}
