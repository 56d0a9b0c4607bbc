import { isCjk } from './search-terms.js';

/** A part of a text around the first match, and whether something stands before and behind it. */
export interface Surroundings {
  text: string;
  isCutBefore: boolean;
  isCutBehind: boolean;
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

/** The word as the database folds it (migration `SearchWords`). */
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
 * The text as HTML, with the words that begin like one of `prefixes` (folded) in `<mark>`. All else is escaped, so a
 * `<mark>` of the text itself is none of the answer.
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
  if (prefixes.some((one) => !isCjk(one) && folded.startsWith(one))) return mark(word);
  const inside = prefixes.find((one) => isCjk(one) && word.includes(one));
  return inside === undefined ? escape(word) : word.split(inside).map(escape).join(mark(inside));
}

/** The surroundings of a match as an excerpt: whole words, an ellipsis where something is left out, matches marked. */
export function excerptOf({ text, isCutBefore, isCutBehind }: Surroundings, prefixes: readonly string[]): string {
  let shown = text;
  if (isCutBefore) shown = shown.replace(/^\S{0,40}\s+/u, '');
  if (isCutBehind) shown = shown.replace(/\s+\S{0,40}$/u, '');
  const html = markMatches(shown.trim(), prefixes);
  return `${isCutBefore ? '… ' : ''}${html}${isCutBehind ? ' …' : ''}`;
}
