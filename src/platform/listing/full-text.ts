import { escapeLike } from '../../common/text.js';
import type { Search, Statement } from './definition.js';
import type { Wanted } from './wanted.js';

const CONFIGURATION = "'english'";
/** Ranks are at most a few hundred; who asks for exactly this title or id wants it first. */
const TITLE_BONUS = 1_000;
const ID_BONUS = 10_000;

/**
 * The search of tables that keep the words of `title` and `description` in `words` (spec 05): web-search syntax, a
 * part of the title, or the id. Sorted by relevance, it also finds what has only some of the words.
 */
export function fullTextSearch(table: string, alias: string): Search {
  const named = (text: string, { bind }: Statement) =>
    `${alias}.title ILIKE ${bind(`%${escapeLike(text)}%`)} OR ${alias}.id = ${bind(text)}`;
  return {
    where: (text, statement) =>
      `(${alias}.words @@ websearch_to_tsquery(${CONFIGURATION}, ${statement.bind(text)}) OR ${named(text, statement)})`,
    relevance: {
      table,
      where: (wanted, statement) =>
        `(${alias}.words @@ ${queryOf(wanted, statement)} OR ${named(wanted.text, statement)})`,
      rank: (wanted, statement) => rankOf(alias, wanted, statement),
    },
  };
}

/** What must be there, and something of what would be nice. */
function queryOf({ strict, likely }: Wanted, { bind }: Statement): string {
  const must = `websearch_to_tsquery(${CONFIGURATION}, ${bind(strict)})`;
  return likely === '' ? must : `(${must} && ${bind(likely)}::tsquery)`;
}

/** Every word counts by how rare it is and where it stands; in long texts less, as they have every word in them. */
function rankOf(alias: string, { text, words }: Wanted, { bind }: Statement): string {
  const queries = bind(words.map(({ query }) => query));
  const weights = bind(words.map(({ weight }) => weight));
  return `(SELECT coalesce(sum(wanted.weight * ts_rank(${alias}.words, wanted.query)), 0)
      / (1 + ln(1 + length(${alias}.words)) / 10)
    FROM unnest(${queries}::tsquery[], ${weights}::float8[]) AS wanted (query, weight))
    + CASE WHEN ${alias}.id = ${bind(text)} THEN ${ID_BONUS}
        WHEN ${alias}.title ILIKE ${bind(`%${escapeLike(text)}%`)} THEN ${TITLE_BONUS} ELSE 0 END`;
}
