import { isCjk, type Term } from './search-terms.js';

/** The number of rows of a large table, and the share of rows that contain each word of the terms, in their order. */
export interface TableStatistics {
  table: string;
  rows: number;
  shares: readonly number[];
}

/** The rows of a table that are searched: rows with the given terms by index, all visible rows, or the newest rows. */
export type SearchPlan = { by: 'index'; terms: readonly Term[] } | { by: 'all' } | { by: 'newest' };

/** The maximum number of index entries that are read for one term. */
const MAX_ENTRIES = 100_000;
/** The maximum number of rows that are scanned. */
const MAX_ROWS = 10_000;

interface SearchedTable {
  /** Undefined for a small table. */
  statistics?: TableStatistics;
  /** Whether the caller sees few of its rows. */
  isFew: boolean;
}

/**
 * Plans how a table is searched. Few rows are scanned. Otherwise, the index finds the rows of the rare terms if it
 * selects few rows, and the common terms are only compared. If all terms are common, the newest rows contain enough
 * matches.
 */
export function planOf(terms: readonly Term[], { statistics, isFew }: SearchedTable): SearchPlan {
  const isIndexed = !terms.some(({ typed }) => isCjk(typed));
  if (isFew) return { by: 'all' };
  if (statistics === undefined) return isIndexed ? { by: 'index', terms } : { by: 'all' };
  const { rows } = statistics;
  const rare = sharesOf(terms, statistics.shares).filter(({ share }) => share * rows <= MAX_ENTRIES);
  const expectedRows = rare.reduce((expected, { share }) => expected * share, rows);
  if (!isIndexed || rare.length === 0 || expectedRows > MAX_ROWS) return { by: 'newest' };
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
