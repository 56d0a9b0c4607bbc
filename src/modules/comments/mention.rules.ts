import { groupBy } from '../../common/group-by.js';

/** A resource that a text mentions, by its name as the text writes it, or by its id. */
export interface Mentionable {
  id: string;
  name: string;
}

/** The maximum number of resources that a comment can mention. */
export const MAX_MENTIONS = 50;

/** The maximum length of a name in a mention, in UTF-16 units; resources with longer names are mentioned by id. */
export const MAX_NAME_LENGTH = 100;

/** Scripts that write no spaces between words, so that a name can begin and end next to any of their characters. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{N}_]`, 'u');
const WORD_END = new RegExp(`${WORD.source}$`, 'u');
const SPACE = /\s/;
const ID = /(?<![\p{L}\p{N}_])@((?:res|usr)_[0-9a-f]{32})(?![\p{L}\p{N}_])/gu;

/** Whether the text can contain a mention at all. */
export const mayMention = (text: string): boolean => text.includes('@');

/** Returns the `res_` and `usr_` ids that a text mentions, without duplicates; they may not exist. */
export const mentionedIds = (text: string): string[] => [...new Set([...text.matchAll(ID)].map(([, id]) => id))];

/**
 * Returns the possible names that a text mentions, without duplicates: every text after an `@` that ends at a word
 * boundary.
 */
export function mentionableNames(text: string): string[] {
  const names = new Set<string>();
  for (const ends of nameEnds(text)) for (const name of ends) names.add(name);
  return [...names];
}

/**
 * Returns the ids of the resources that the text mentions, by their names as the text writes them. Names can contain
 * spaces: the longest match counts, for all resources with that name. The time is linear in the length of the text and
 * independent of the number of resources.
 */
export function mentioned(text: string, people: readonly Mentionable[]): string[] {
  if (people.length === 0) return [];
  const idsByName = groupBy(people, ({ name }) => name);
  const resourceIds = new Set<string>();
  for (const ends of nameEnds(text)) {
    const name = ends.find((candidate) => idsByName.has(candidate));
    if (name !== undefined) for (const { id } of idsByName.get(name) ?? []) resourceIds.add(id);
  }
  return [...resourceIds];
}

/** Yields the possible names after each `@`, longest first. A name does not extend beyond the next `@`. */
function* nameEnds(text: string): Generator<string[]> {
  const starts = startsIn(text);
  for (const [n, start] of starts.entries()) {
    const last = Math.min(start + MAX_NAME_LENGTH, (starts[n + 1] ?? Infinity) - 1, text.length);
    if (last > start && !isSpace(text.charCodeAt(start))) yield namesFrom(text, start, last);
  }
}

/** Returns the positions after each `@` that does not follow a word, as in an e-mail address. */
function startsIn(text: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (!endsWord(text, at)) starts.push(at + 1);
  }
  return starts;
}

function namesFrom(text: string, start: number, last: number): string[] {
  const names: string[] = [];
  for (let end = start + 1; end <= last; end++) {
    const code = text.charCodeAt(end - 1);
    if (code === LF || code === CR) break;
    if (!isSpace(code) && !continuesWord(text, end)) names.push(text.slice(start, end));
  }
  return names.toReversed();
}

const [LF, CR] = [0x0a, 0x0d];
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const IS_SPACE = ASCII.map((unit) => SPACE.test(unit));
const IS_WORD = ASCII.map((unit) => WORD.test(unit));

const isSpace = (code: number): boolean => IS_SPACE[code] ?? SPACE.test(String.fromCharCode(code));

/** Whether the text before that position ends with a word character. */
function endsWord(text: string, at: number): boolean {
  if (at === 0) return false;
  return IS_WORD[text.charCodeAt(at - 1)] ?? WORD_END.test(text.slice(Math.max(0, at - 2), at));
}

/** Whether the position is within a word, or within a surrogate pair. */
function continuesWord(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const code = text.charCodeAt(at);
  const isSecondHalf = (code & 0xfc00) === 0xdc00;
  return isSecondHalf || (IS_WORD[code] ?? WORD.test(String.fromCodePoint(text.codePointAt(at) as number)));
}
