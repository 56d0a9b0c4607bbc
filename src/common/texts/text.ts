/** Control characters except tab, LF and CR, and unpaired surrogates. */
const UNCLEAN = /[^\P{Cc}\t\n\r]|\p{Cs}/u;
const UNCLEAN_ALL = new RegExp(UNCLEAN, 'gu');

/** The length for limits: the number of code points, not of UTF-16 units. */
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

/** Whether the text has more than `max` code points; counts them only if the UTF-16 length does not decide it. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || lengthOf(text) > max);
}

/** Whether the text can be stored and shown: no NUL, no lone surrogate, no control character except tab, LF and CR. */
export function isCleanText(text: string): boolean {
  return !UNCLEAN.test(text);
}

/** Whether the text is empty or only white space. */
export function isBlank(text: string): boolean {
  return !/\S/u.test(text);
}

const LINE_BREAK = /[\n\r\u2028\u2029]/;
/**
 * Anything except spaces, control characters, and characters that are drawn as nothing (such as the blank Braille
 * pattern).
 */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u;

const HTML_COMMENT = /<!--[^]*?(?:-->|$)/gu;
/** Character references of HTML to characters that are drawn as nothing. */
const BLANK_REFERENCE = /&(?:nbsp|ensp|emsp|thinsp|shy|zwj|zwnj|lrm|rlm|Tab|NewLine|ZeroWidthSpace|NoBreak);/gu;
const NUMERIC_REFERENCE = /&#(?:(\d{1,7})|[xX]([\da-fA-F]{1,6}));/gu;

const characterOf = (_: string, decimal: string | undefined, hexadecimal: string | undefined): string => {
  const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/**
 * Whether a reader of the text sees anything, also where it is shown as Markdown or HTML: white space, format characters
 * and HTML comments show nothing.
 */
export function showsText(text: string): boolean {
  if (!VISIBLE.test(text)) return false;
  if (!text.includes('<!--') && !text.includes('&')) return true;
  const shown = text.replace(HTML_COMMENT, '').replace(BLANK_REFERENCE, '').replace(NUMERIC_REFERENCE, characterOf);
  return VISIBLE.test(shown);
}

/** Whether the text is a single line with at least one visible character. */
export function isVisibleLine(text: string): boolean {
  return !LINE_BREAK.test(text) && VISIBLE.test(text);
}

/**
 * The text in a form that is safe to quote in a response: unclean characters replaced, cut to that many UTF-16 units.
 */
export function printable(text: string, max = 100): string {
  return text.slice(0, max).replace(UNCLEAN_ALL, '\ufffd');
}

/** The first `max` code points of the text, with an ellipsis if there are more. */
export function beginningOf(text: string, max: number): string {
  if (!isLongerThan(text, max)) return text;
  return `${Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('')}…`;
}

/** Escapes the text for a LIKE or ILIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The name of a kind with its article: `an endeavour`, `a user`, `a DoD policy`. */
export function withArticle(kind: string): string {
  const name = kind.replaceAll('_', ' ').replace(/^dod /, 'DoD ');
  return `${/^(?!user)[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
