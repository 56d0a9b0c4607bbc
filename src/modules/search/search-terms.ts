import { escapeLike } from '../../common/texts/text.js';
import { unspacedRuns } from '../../common/texts/unspaced-scripts.js';
import { quote } from '../../platform/listing/search/search-query.js';

/** A searched word as the database stores it: without accents and case, and with its English stems. */
export interface SearchedWord {
  word: string;
  /** Empty for stop words, such as `the`. */
  stems: readonly string[];
}

/** A part of the search text between spaces or in quotes, cut by the database like the texts that are stored. */
export interface Term {
  typed: string;
  words: readonly SearchedWord[];
  /** The tsquery of the characters of scripts without spaces; null if there are none. */
  pairs: string | null;
}

/** What must occur together, and what must not. */
export interface Alternative<T = Term> {
  wanted: readonly T[];
  excluded: readonly T[];
}

const TOKEN = /(-?)"([^"]*)"|\S+/gu;

/** Splits a search in web-search syntax: all words, "a phrase", -excluded, or. */
export function typedAlternatives(text: string): Alternative<string>[] {
  const alternatives: { wanted: string[]; excluded: string[] }[] = [{ wanted: [], excluded: [] }];
  for (const [token, minus, phrase] of text.matchAll(TOKEN)) {
    const isExcluded = phrase === undefined ? /^-[^\s-]/u.test(token) : minus === '-';
    const { wanted, excluded } = alternatives[alternatives.length - 1];
    if (token.toLowerCase() === 'or') alternatives.push({ wanted: [], excluded: [] });
    else (isExcluded ? excluded : wanted).push(phrase ?? token);
  }
  return alternatives;
}

/**
 * The alternatives without stop words and empty terms; if nothing else is wanted, stop words are, as prefixes. What is only
 * excluded is wanted, because a search for everything else finds nothing in particular.
 */
export function meaningful(alternatives: readonly Alternative[]): readonly Alternative[] {
  const withWords = (terms: readonly Term[]) => terms.filter(({ words, pairs }) => words.length > 0 || pairs !== null);
  const cut = alternatives.map(({ wanted, excluded }) => ({
    wanted: withWords(wanted),
    excluded: excluded.filter(isMeaningful),
  }));
  const wanted = cut.filter((alternative) => alternative.wanted.length > 0);
  const kept = wanted.length > 0 ? wanted : cut.map(({ excluded }) => ({ wanted: excluded, excluded: [] }));
  return kept
    .map((alternative) => {
      const terms = alternative.wanted.filter(isMeaningful);
      return { ...alternative, wanted: terms.length > 0 ? terms : alternative.wanted };
    })
    .filter((alternative) => alternative.wanted.length > 0);
}

const isMeaningful = ({ words, pairs }: Term): boolean => pairs !== null || words.some(({ stems }) => stems.length > 0);

/** The words of all terms that are not excluded. */
export const wantedOf = (alternatives: readonly Alternative[]): readonly Term[] =>
  alternatives.flatMap(({ wanted }) => wanted);

/** The tsquery of one term: its words one behind the other by stem, the last also as a prefix, and its characters. */
export const queryOf = (term: Term): string => termQuery(term, true);

function termQuery({ words, pairs }: Term, isUnfinished: boolean): string {
  const phrase = words.some(({ stems }) => stems.length > 0) ? phraseQuery(words, isUnfinished) : stopWordQuery(words);
  const parts = [phrase, pairs].filter((part) => part !== null && part !== '').map((part) => `(${part})`);
  return parts.length === 1 ? parts[0] : `(${parts.join(' & ')})`;
}

const stopWordQuery = (words: readonly SearchedWord[]): string =>
  words.map(({ word }) => `${quote(word)}:*`).join(' & ');

/**
 * The words with the distances between them; stop words are not stored, but have a place. The unfinished form of the last
 * word is an alternative to the whole phrase: within it, PostgreSQL finds no word that is stored without its place.
 */
function phraseQuery(words: readonly SearchedWord[], isUnfinished: boolean): string {
  let phrase = '';
  let unfinished = '';
  let previous = 0;
  for (const [place, { word, stems }] of words.entries()) {
    if (stems.length === 0) continue;
    const before = phrase === '' ? '' : `${phrase} <${place - previous}> `;
    phrase = `${before}${anyOf(stems.map(quote))}`;
    unfinished = place === words.length - 1 ? `${before}${quote(word)}:*` : '';
    previous = place;
  }
  return isUnfinished && unfinished !== '' ? anyOf([phrase, unfinished]) : phrase;
}

export const allOf = (terms: readonly Term[]): string => terms.map(queryOf).join(' & ');

export const anyOf = (queries: readonly string[]): string => `(${queries.join(' | ')})`;

/** The tsquery of the whole search. */
export const wholeQuery = (alternatives: readonly Alternative[]): string =>
  anyOf(
    alternatives.map(({ wanted, excluded }) =>
      [allOf(wanted), ...excluded.map((term) => `!${termQuery(term, false)}`)].join(' & '),
    ),
  );

/** The prefixes of matches, in a text with a space before each word; characters match anywhere. */
export function matchPrefixesOf(terms: readonly Term[]): string[] {
  const words = terms.flatMap((term) => term.words.flatMap(({ word, stems }) => [word, ...stems]));
  const runs = terms.flatMap(({ typed }) => unspacedRuns(typed));
  return [...new Set([...words.map((word) => ` ${word}`), ...runs])];
}

/** LIKE patterns that a name with every word matches; the name is preceded by a space. */
export const termPatternsOf = (terms: readonly Term[]): string[] =>
  terms.flatMap(({ typed, words }) => [
    ...words.map(({ word }) => `% ${escapeLike(word)}%`),
    ...unspacedRuns(typed).map((run) => `%${escapeLike(run)}%`),
  ]);

/** LIKE patterns that a text matches if it contains every word anywhere, as each name with every word does. */
export const termPartsOf = (terms: readonly Term[]): string[] =>
  terms.flatMap(({ typed, words }) =>
    [...words.map(({ word }) => word), ...unspacedRuns(typed)].map((part) => `%${escapeLike(part)}%`),
  );
