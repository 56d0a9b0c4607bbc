import { escapeLike } from '../../../common/texts/text.js';
import { containsText, isShort } from './contained-text.js';
import type { ListSearch, Statement } from '../definition.js';
import type { SearchQuery } from './search-query.js';

/** Ranks are at most a few hundred; an exact title or id comes first. */
const TITLE_BONUS = 1_000;
const ID_BONUS = 10_000;

/** SQL for the ids of the rows that a text names by something else than their id; undefined if the text has no such form. */
export type IdsNamedBy = (text: string, statement: Statement) => string | undefined;

/**
 * Searches tables that store the words of `title` and `description` in `words` (spec 05): web-search syntax, a part of
 * the title, the id, or a text by which `idsNamedBy` finds it. Sorted by relevance, it also finds rows with some of the words.
 */
export function fullTextSearch(table: string, alias: string, idsNamedBy?: IdsNamedBy): ListSearch {
  const inTitle = containsText([`${alias}.title`]);
  const isNamed = (text: string, statement: Statement) => {
    const ids = idsNamedBy?.(text, statement);
    return `${alias}.id = ${ids === undefined ? statement.bind(text) : `ANY(ARRAY(${ids}))`}`;
  };
  const named = (text: string, statement: Statement) => `${inTitle(text, statement)} OR ${isNamed(text, statement)}`;
  const where = (text: string, statement: Statement) =>
    `(${alias}.words @@ ${isShort(text) ? prefixOf(text, statement) : allOf(text, statement)} OR ${named(text, statement)})`;
  return {
    where,
    relevance: {
      table,
      where: (wanted, statement) =>
        isShort(wanted.text)
          ? where(wanted.text, statement)
          : `(${alias}.words @@ ${queryOf(wanted, statement)} OR ${named(wanted.text, statement)})`,
      rank: (wanted, statement) => rankOf(alias, wanted, statement, isNamed(wanted.text, statement)),
    },
  };
}

/** As a subquery, so that PostgreSQL parses the search once and not for each row. */
const allOf = (text: string, { bind }: Statement): string => `(SELECT search_query(${bind(text)}))`;

/** Words with that prefix; none if the text is not part of a word. */
const prefixOf = (text: string, { bind }: Statement): string => `(SELECT search_prefix(${bind(text)}))`;

/**
 * The required and the likely parts of a search combined. Without required parts, the query is known to the planner, which
 * then knows how many rows it finds.
 */
function queryOf({ strict, likely }: SearchQuery, { bind }: Statement): string {
  if (likely === '') return `(SELECT search_query(${bind(strict)}))`;
  const wanted = `${bind(likely)}::tsquery`;
  return strict === '' ? wanted : `(SELECT coalesce(search_query(${bind(strict)}) && ${wanted}, ${wanted}))`;
}

/** Ranks by the rarity and position of each word, and lower for long texts, which contain most words anyway. */
function rankOf(alias: string, { text, words }: SearchQuery, { bind }: Statement, isNamed: string): string {
  const queries = bind(words.map(({ query }) => query));
  const weights = bind(words.map(({ weight }) => weight));
  return `(SELECT coalesce(sum(wanted.weight * ts_rank(${alias}.words, wanted.query)), 0)
      / (1 + ln(1 + length(${alias}.words)) / 10)
    FROM unnest(${queries}::tsquery[], ${weights}::float8[]) AS wanted (query, weight))
    + CASE WHEN ${isNamed} THEN ${ID_BONUS}
        WHEN ${alias}.title ILIKE ${bind(`%${escapeLike(text)}%`)} THEN ${TITLE_BONUS} ELSE 0 END`;
}
