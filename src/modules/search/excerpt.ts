import { isUnspaced } from '../../common/texts/unspaced-scripts.js';

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
  ς: 'σ',
};
/** Accents, the points and vowel marks of Hebrew and Arabic, and the lengthening stroke. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

/** Folds a word like the function `fold_text` of the database. */
export const fold = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[ßæœøłđħŧıðþς]/g, (letter) => LETTERS[letter]);

/** The parts of a word in camelCase. */
const humpsOf = (word: string): string[] => word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);

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
  const starts = [word, ...humpsOf(word)].map(fold);
  if (prefixes.some((prefix) => !isUnspaced(prefix) && starts.some((start) => start.startsWith(prefix))))
    return mark(word);
  const inside = prefixes.find((prefix) => isUnspaced(prefix) && word.includes(prefix));
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
