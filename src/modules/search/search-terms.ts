import { escapeLike } from '../../common/text.js';
import { quote } from '../../platform/listing/search-query.js';

/** A searched word as the database stores it: without accents and case, and with its English stems. */
export interface SearchedWord {
  word: string;
  /** Empty for stop words, such as `the`. */
  stems: readonly string[];
}

/** A part of the search text between spaces. */
export interface Term {
  typed: string;
  words: readonly SearchedWord[];
}

/** Letters and digits; all other characters separate words, so operators of tsquery have no effect. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export const isCjk = (text: string): boolean => CJK.test(text);

/** The distinct terms of the search text, without terms that have no word. */
export function typedTerms(text: string): { typed: string; words: readonly string[] }[] {
  return [...new Set(text.split(/\s+/u))]
    .map((typed) => ({ typed, words: typed.match(WORD) ?? [] }))
    .filter(({ words }) => words.length > 0);
}

/** The words that are not stop words; if there are none, all words, as prefixes. */
export function withoutStopWords(terms: readonly Term[]): readonly Term[] {
  const meaningfulTerms = terms
    .map(({ typed, words }) => ({ typed, words: words.filter(({ stems }) => stems.length > 0) }))
    .filter(({ words }) => words.length > 0);
  return meaningfulTerms.length > 0 ? meaningfulTerms : terms;
}

/** The tsquery of one term: each word by stem or as a prefix, or the whole term as typed. */
export function queryOf({ typed, words }: Term): string {
  const parts = words.map(({ word, stems }) => anyOf([...stems.map(quote), `${quote(word)}:*`]));
  if (words.length === 1) return parts[0];
  return anyOf([`(${parts.join(' & ')})`, `${quote(typed.toLowerCase())}:*`]);
}

export const allOf = (terms: readonly Term[]): string => terms.map(queryOf).join(' & ');

export const anyOf = (queries: readonly string[]): string => `(${queries.join(' | ')})`;

/** The prefixes of matches, in a text with a space before each word. */
export function matchPrefixesOf(terms: readonly Term[]): string[] {
  const words = terms.flatMap((term) => term.words.flatMap(({ word, stems }) => [word, ...stems]));
  return [...new Set(words)].map((word) => (isCjk(word) ? word : ` ${word}`));
}

/** LIKE patterns that a name with every word matches; the name is preceded by a space. */
export const termPatternsOf = (terms: readonly Term[]): string[] =>
  terms.flatMap(({ words }) => words.map(({ word }) => `%${isCjk(word) ? '' : ' '}${escapeLike(word)}%`));
