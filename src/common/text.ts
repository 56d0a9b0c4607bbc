/** Control characters but tab, LF and CR, and surrogates without a partner. */
const UNCLEAN = /[^\P{Cc}\t\n\r]|\p{Cs}/u;
const UNCLEAN_ALL = new RegExp(UNCLEAN, 'gu');

/** The length that limits are about: code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      length--;
      at++;
    }
  }
  return length;
}

/** Whether the text is longer than that many code points; counts only where the answer is not plain. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || lengthOf(text) > max);
}

/** Whether the text can be stored and shown: no NUL, no lone surrogate, no control character but tab, LF and CR. */
export function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text);
}

/** Whether there is nothing but white space. */
export function isBlank(text: string): boolean {
  return !/\S/u.test(text);
}

const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** Anything but spaces, controls, and characters that are drawn as nothing (the blank Braille pattern among them). */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u;

/** Whether the text is one line in which there is something to be seen. */
export function isVisibleLine(text: string): boolean {
  return !LINE_BREAK.test(text) && VISIBLE.test(text);
}

/** The text made fit to be named in an answer: unclean characters replaced, cut to so many UTF-16 units. */
export function printable(text: string, max = 100): string {
  return text.slice(0, max).replace(UNCLEAN_ALL, '\ufffd');
}

/** The text as a literal part of a LIKE or ILIKE pattern: `%`, `_` and `\` lose their meaning. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** A kind of thing as a sentence names it: `an endeavour`, `a user`, `a DoD policy`. */
export function withArticle(kind: string): string {
  const name = kind.replaceAll('_', ' ').replace(/^dod /, 'DoD ');
  return `${/^(?!user)[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
