import { isCjk } from './search-terms.js';

/** The part of a text around the first match, and whether the text continues before and after it. */
export interface Excerpt {
  text: string;
  isCutBefore: boolean;
  isCutAfter: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ð: 'd',
  þ: 't',
};

/** Folds a word like the database does (migration `SearchWords`). */
export const fold = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđħŧıðþ]/g, (letter) => LETTERS[letter]);

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

const mark = (text: string): string => `<mark>${escape(text)}</mark>`;

/**
 * The text as HTML, with the words that start with one of the folded `prefixes` in `<mark>`. The text is escaped, so
 * that a `<mark>` in the text is not mistaken for a match.
 */
export function markMatches(text: string, prefixes: readonly string[]): string {
  let html = '';
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    html += escape(text.slice(end, index)) + markWord(word, prefixes);
    end = index + word.length;
  }
  return html + escape(text.slice(end));
}

function markWord(word: string, prefixes: readonly string[]): string {
  const folded = fold(word);
  if (prefixes.some((prefix) => !isCjk(prefix) && folded.startsWith(prefix))) return mark(word);
  const inside = prefixes.find((prefix) => isCjk(prefix) && word.includes(prefix));
  return inside === undefined ? escape(word) : word.split(inside).map(escape).join(mark(inside));
}

/** The excerpt as HTML: whole words, with an ellipsis if the text continues, and matches marked. */
export function excerptOf({ text, isCutBefore, isCutAfter }: Excerpt, prefixes: readonly string[]): string {
  let excerpt = text;
  if (isCutBefore) excerpt = excerpt.replace(/^\S{0,40}\s+/u, '');
  if (isCutAfter) excerpt = excerpt.replace(/\s+\S{0,40}$/u, '');
  const html = markMatches(excerpt.trim(), prefixes);
  return `${isCutBefore ? '… ' : ''}${html}${isCutAfter ? ' …' : ''}`;
}
