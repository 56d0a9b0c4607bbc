/** Numbers with more digits may not be preserved exactly. */
const SAFE_DIGITS = 15;

/** Far more than {@link SAFE_DIGITS} with leading and trailing zeros. */
const LONGEST_EXACT = 400;

/** A number that begins at a digit; the sign does not matter here. */
const NUMBER = /[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

const BACKSLASH = 0x5c;

/** The end of the string that starts there; the end of the text if it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The end of the number that starts there with a digit. */
export function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPart = isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;
    if (!isPart) break;
  }
  return at;
}

/** Whether a double preserves the number between two positions of a text exactly. The length decides most cases. */
export function isKeptExactly(text: string, start: number, end: number): boolean {
  if (end - start <= SAFE_DIGITS && !hasExponent(text, start, end)) return true;
  NUMBER.lastIndex = start;
  const written = NUMBER.exec(text)?.[0] ?? '';
  // Invalid JSON and numbers out of range are left to the parser.
  if (written.length !== end - start) return true;
  const value = Number(written);
  if (!Number.isFinite(value)) return true;
  if (/^[0-9]+$/.test(written)) return Number.isSafeInteger(value);
  // Some lengths are refused without a look at the digits; no client writes a number like that.
  if (written.length > LONGEST_EXACT) return false;
  const digits = significantDigits(written);
  return digits.length <= SAFE_DIGITS && digits === significantDigits(String(value));
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x65 || code === 0x45) return true;
  }
  return false;
}

/** The digits of a number without leading and trailing zeros; empty for zero. */
function significantDigits(number: string): string {
  const digits = number.replace(/[eE].*$/, '').replace('.', '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  // A pattern for zeros at the end would look for it from each zero before.
  while (end > start && digits[end - 1] === '0') end--;
  return digits.slice(start, end);
}

/**
 * The paths of at most `max` numbers in a valid JSON text that a double does not preserve. Reads the text a second
 * time, so it is called only if there is such a number.
 */
export function inexactNumbers(text: string, max: number): (string | number)[][] {
  const paths: (string | number)[][] = [];
  const path: (string | number)[] = [];
  let [keyStart, keyEnd] = [0, 0];
  for (let at = 0; at < text.length && paths.length < max; at++) {
    const unit = text[at];
    if (unit === '"') {
      keyStart = at;
      at = endOfString(text, at);
      keyEnd = at + 1;
    } else if (unit === ':') path[path.length - 1] = JSON.parse(text.slice(keyStart, keyEnd)) as string;
    else if (unit === '{') path.push('');
    else if (unit === '[') path.push(0);
    else if (unit === '}' || unit === ']') path.pop();
    else if (unit === ',') nextItem(path);
    else if (isDigit(text.charCodeAt(at))) {
      const end = endOfNumber(text, at);
      if (!isKeptExactly(text, at, end)) paths.push([...path]);
      at = end - 1;
    }
  }
  return paths;
}

function nextItem(path: (string | number)[]): void {
  const last = path.at(-1);
  if (typeof last === 'number') path[path.length - 1] = last + 1;
}
