import { escapeLike } from '../../common/text.js';
import { containsText, isShort } from './contained-text.js';
import type { ListSearch, Statement } from './definition.js';
import { withoutLoneDashes, type SearchQuery } from './search-query.js';

const CONFIGURATION = "'english'";
/** Ranks are at most a few hundred; an exact title or id comes first. */
const TITLE_BONUS = 1_000;
const ID_BONUS = 10_000;

/**
 * Searches tables that store the words of `title` and `description` in `words` (spec 05): web-search syntax, a part of
 * the title, or the id. Sorted by relevance, it also finds rows with some of the words.
 */
export function fullTextSearch(table: string, alias: string): ListSearch {
  const inTitle = containsText([`${alias}.title`]);
  const named = (text: string, statement: Statement) =>
    `${inTitle(text, statement)} OR ${alias}.id = ${statement.bind(text)}`;
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
      rank: (wanted, statement) => rankOf(alias, wanted, statement),
    },
  };
}

const allOf = (text: string, { bind }: Statement): string =>
  `websearch_to_tsquery(${CONFIGURATION}, fold_text(${bind(withoutLoneDashes(text))}))`;

/** Everything that is no part of a word, and modifier letters that become quotes when they are folded. */
const NO_WORD = /[^\p{L}\p{N}\p{M}]|[\u02b0-\u02ff]/gu;

/** Words with that prefix; none if the text is not part of a word. */
const prefixOf = (text: string, { bind }: Statement): string =>
  `to_tsquery('simple', fold_text(${bind(`'${text.replace(NO_WORD, ' ')}':*`)}))`;

/** The required and the likely parts of a search combined. */
function queryOf({ strict, likely }: SearchQuery, { bind }: Statement): string {
  const must = `websearch_to_tsquery(${CONFIGURATION}, fold_text(${bind(strict)}))`;
  return likely === '' ? must : `(${must} && ${bind(likely)}::tsquery)`;
}

/** Ranks by the rarity and position of each word, and lower for long texts, which contain most words anyway. */
function rankOf(alias: string, { text, words }: SearchQuery, { bind }: Statement): string {
  const queries = bind(words.map(({ query }) => query));
  const weights = bind(words.map(({ weight }) => weight));
  return `(SELECT coalesce(sum(wanted.weight * ts_rank(${alias}.words, wanted.query)), 0)
      / (1 + ln(1 + length(${alias}.words)) / 10)
    FROM unnest(${queries}::tsquery[], ${weights}::float8[]) AS wanted (query, weight))
    + CASE WHEN ${alias}.id = ${bind(text)} THEN ${ID_BONUS}
        WHEN ${alias}.title ILIKE ${bind(`%${escapeLike(text)}%`)} THEN ${TITLE_BONUS} ELSE 0 END`;
}
