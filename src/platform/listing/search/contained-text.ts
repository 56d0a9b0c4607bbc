import { escapeLike, isLongerThan } from '../../../common/texts/text.js';
import { isUnspaced } from '../../../common/texts/unspaced-scripts.js';
import type { Statement } from '../definition.js';

const MAX_OF_SHORT = 2;
const BEGINS_WORD = /^[\p{L}\p{N}]/u;

/** Whether a search is so short that it matches too much to be counted. */
export const isShort = (text: string): boolean => !isLongerThan(text, MAX_OF_SHORT);

/** Whether a search matches the beginning of words instead of any part of the text. */
const isPrefix = (text: string): boolean => isShort(text) && BEGINS_WORD.test(text) && !isUnspaced(text);

/**
 * SQL: whether one of the columns contains the text, ignoring case. One or two letters or digits must begin a word;
 * characters of scripts without spaces, and symbols, match anywhere.
 */
export function containsText(columns: string[]): (text: string, statement: Pick<Statement, 'bind'>) => string {
  return (text, { bind }) => {
    const [operator, pattern] = isPrefix(text)
      ? ['~*', bind(`(^|[^[:alnum:]])${escapePattern(text)}`)]
      : ['ILIKE', bind(`%${escapeLike(text)}%`)];
    return `(${columns.map((column) => `${column} ${operator} ${pattern}`).join(' OR ')})`;
  };
}

/** Escapes the text for a regular expression of PostgreSQL. */
const escapePattern = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
