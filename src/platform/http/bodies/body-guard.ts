import { invalidField, invalidInput, ApiError, type FieldCode, type FieldError } from '../../../common/errors.js';
import { MAX_JSON_DEPTH } from '../../../common/texts/json.js';
import { isCleanText, printable } from '../../../common/texts/text.js';
import { endOfNumber, endOfString, inexactNumbers, isDigit, isKeptExactly } from './json-tokens.js';

/** A megabyte could contain a hundred thousand names and block all other requests for a quarter of a second. */
const MAX_NAMES = 10_000;
const MAX_VALUES = 100_000;
const MAX_BODY_ERRORS = 100;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Detects unclean characters in JSON text: escaped, or literal where JSON allows them. */
const MAYBE_UNCLEAN = /\\[ubf]|[\x7f-\x9f]/;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body in UTF-8; undefined if it is empty. Rejects bodies that are too deep or too wide, repeat a
 * property, or contain text or numbers that cannot be stored exactly, before other code sees them.
 */
export function parseJsonBody(raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  const text = decode(raw);
  const { names, isExact } = scan(text);
  const value = parse(text);
  const tally = { names: 0, isFinite: true };
  count(value, tally);
  if (!tally.isFinite || MAYBE_UNCLEAN.test(text)) rejectInvalidValues(value);
  if (!isExact) rejectInexactNumbers(text);
  if (tally.names !== names)
    throw invalidField('body', 'invalid_format', 'An object in the request body contains the same property twice.');
  return value;
}

/** Plain letters in UTF-16 are well-formed UTF-8 full of NULs, so the first two bytes are checked. */
function decode(raw: Buffer): string {
  try {
    if (raw[0] !== 0 && raw[1] !== 0) return utf8.decode(raw);
  } catch {
    // Rejected below, like UTF-16.
  }
  throw new ApiError('unsupported_media_type', 'The request body must be JSON in UTF-8.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the body.
    throw invalidField('body', 'invalid_format', 'The request body is not valid JSON.');
  }
}

/**
 * The number of property names, and whether all numbers can be stored exactly; rejects text that is too deep or too
 * wide. Invalid JSON is left to the parser.
 */
function scan(text: string): { names: number; isExact: boolean } {
  let isExact = true;
  let depth = 0;
  let names = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      isExact &&= isKeptExactly(text, at, end);
      at = end - 1;
    } else if (code === COLON) {
      if (++names > MAX_NAMES) throw tooMuch(`have at most ${MAX_NAMES} properties`);
    } else if (code === COMMA) {
      if (++commas >= MAX_VALUES) throw tooMuch(`have at most ${MAX_VALUES} values`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if ((code === OPEN_BRACE || code === OPEN_BRACKET) && ++depth > MAX_JSON_DEPTH)
      throw tooMuch(`be nested at most ${MAX_JSON_DEPTH} levels deep`);
  }
  return { names, isExact };
}

const tooMuch = (bound: string): ApiError => invalidField('body', 'out_of_range', `The request body must ${bound}.`);

function count(value: unknown, tally: { names: number; isFinite: boolean }): void {
  if (typeof value === 'number') tally.isFinite &&= Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return;
  const children = Object.values(value);
  if (!Array.isArray(value)) tally.names += children.length;
  for (const child of children) count(child, tally);
}

function rejectInvalidValues(value: unknown): void {
  const fieldErrors: FieldError[] = [];
  findInvalidValues(value, '', fieldErrors);
  if (fieldErrors.length > 0) throw invalidInput(fieldErrors.slice(0, MAX_BODY_ERRORS));
}

/** Rejects numbers that a double would silently change. */
function rejectInexactNumbers(text: string): void {
  const message = 'has too many digits: at most 15, or an integer up to 9007199254740991.';
  const fieldErrors = inexactNumbers(text, MAX_BODY_ERRORS).map((path): FieldError => {
    const field = path.map((step) => printable(String(step))).join('.') || 'body';
    return { field, code: 'out_of_range', message: `${field} ${message}` };
  });
  if (fieldErrors.length > 0) throw invalidInput(fieldErrors);
}

function findInvalidValues(value: unknown, path: string, fieldErrors: FieldError[]): void {
  if (fieldErrors.length >= MAX_BODY_ERRORS) return;
  const note = (at: string, code: FieldCode, message: string) =>
    fieldErrors.push({ field: at || 'body', code, message: `${at || 'body'} ${message}` });
  if (typeof value === 'number' && !Number.isFinite(value))
    note(path, 'out_of_range', 'exceeds the largest number that can be stored.');
  if (typeof value === 'string' && !isCleanText(value))
    note(path, 'invalid_text', 'contains characters that cannot be stored.');
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const at = path === '' ? printable(key) : `${path}.${printable(key)}`;
    if (!isCleanText(key)) note(at, 'invalid_text', 'contains a property name with characters that cannot be stored.');
    findInvalidValues(child, at, fieldErrors);
  }
}
