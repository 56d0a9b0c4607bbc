import { allOf, anyOf, wantedOf, type Alternative, type Term } from './search-terms.js';

/** The number of rows of a large table, and the share of rows that contain each word of the terms, in their order. */
export interface TableStatistics {
  table: string;
  rows: number;
  shares: readonly number[];
}

/**
 * The rows of a table that are searched: rows with the words of a tsquery by index, all visible rows, or the newest rows. The
 * words of a row need no further comparison if the tsquery is that of the whole search.
 */
export type SearchPlan = { by: 'index'; query: string; isWhole: boolean } | { by: 'all' } | { by: 'newest' };

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
export function planOf(alternatives: readonly Alternative[], { statistics, isFew }: SearchedTable): SearchPlan {
  if (isFew) return { by: 'all' };
  const rare =
    statistics === undefined ? alternatives.map(({ wanted }) => wanted) : rareTerms(alternatives, statistics);
  if (rare === undefined) return { by: 'newest' };
  const isWhole = alternatives.every(
    ({ wanted, excluded }, at) => excluded.length === 0 && rare[at].length === wanted.length,
  );
  return { by: 'index', query: anyOf(rare.map(allOf)), isWhole };
}

/** The rare terms of each alternative; undefined if the index selects too many rows. */
function rareTerms(
  alternatives: readonly Alternative[],
  { rows, shares }: TableStatistics,
): (readonly Term[])[] | undefined {
  const share = sharesOf(wantedOf(alternatives), shares);
  const rare = alternatives.map(({ wanted }) => wanted.filter((term) => shareOf(share, term) * rows <= MAX_ENTRIES));
  const expectedRows = rare.reduce(
    (sum, terms) => sum + terms.reduce((expected, term) => expected * shareOf(share, term), rows),
    0,
  );
  return rare.some((terms) => terms.length === 0) || expectedRows > MAX_ROWS ? undefined : rare;
}

const shareOf = (shares: ReadonlyMap<Term, number>, term: Term): number => shares.get(term) ?? 1;

/** The share of a term is that of its rarest word; characters of scripts without spaces are rare. */
function sharesOf(terms: readonly Term[], shares: readonly number[]): ReadonlyMap<Term, number> {
  let next = 0;
  return new Map(
    terms.map((term) => {
      const own = shares.slice(next, next + term.words.length);
      next += term.words.length;
      return [term, Math.min(1, ...own, ...(term.pairs === null ? [] : [0]))];
    }),
  );
}
