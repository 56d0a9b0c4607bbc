import { escapeLike } from '../../common/text.js';
import { quote } from '../../platform/listing/search-query.js';

/** A word of a search as the database has it: without accents and case, and what English makes of it. */
export interface SearchedWord {
  word: string;
  /** None for words that say nothing, such as `the`. */
  stems: readonly string[];
}

/** What was typed between two spaces. */
export interface Term {
  typed: string;
  words: readonly SearchedWord[];
}

/** Letters and digits; all else only separates words, so that no operator of the text search comes through. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts whose words have no spaces between them. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export const isCjk = (text: string): boolean => CJK.test(text);

/** What was typed between spaces, each once, as its words; what has no word is dropped. */
export function typedTerms(text: string): { typed: string; words: readonly string[] }[] {
  return [...new Set(text.split(/\s+/u))]
    .map((typed) => ({ typed, words: typed.match(WORD) ?? [] }))
    .filter(({ words }) => words.length > 0);
}

/** The words that say something; where none does, all of them, as beginnings of words. */
export function meaningful(terms: readonly Term[]): readonly Term[] {
  const telling = terms
    .map(({ typed, words }) => ({ typed, words: words.filter(({ stems }) => stems.length > 0) }))
    .filter(({ words }) => words.length > 0);
  return telling.length > 0 ? telling : terms;
}

/** The text of a tsquery for one term: each of its words by stem or as a beginning, or all of it as it was typed. */
export function queryOf({ typed, words }: Term): string {
  const parts = words.map(({ word, stems }) => anyOf([...stems.map(quote), `${quote(word)}:*`]));
  if (words.length === 1) return parts[0];
  return anyOf([`(${parts.join(' & ')})`, `${quote(typed.toLowerCase())}:*`]);
}

export const allOf = (terms: readonly Term[]): string => terms.map(queryOf).join(' & ');

export const anyOf = (queries: readonly string[]): string => `(${queries.join(' | ')})`;

/** What a match begins with, in a text that has a space in front of each word. */
export function beginningsOf(terms: readonly Term[]): string[] {
  const words = terms.flatMap((term) => term.words.flatMap(({ word, stems }) => [word, ...stems]));
  return [...new Set(words)].map((word) => (isCjk(word) ? word : ` ${word}`));
}

/** Patterns for LIKE of which a name with every word has all; the name has a space in front. */
export const termPatternsOf = (terms: readonly Term[]): string[] =>
  terms.flatMap(({ words }) => words.map(({ word }) => `%${isCjk(word) ? '' : ' '}${escapeLike(word)}%`));
