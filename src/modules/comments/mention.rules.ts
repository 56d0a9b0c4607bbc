/** Somebody who can be mentioned, by a name or an id. */
export interface Mentionable {
  id: string;
  name: string;
}

/** An `@` that does not go on a word, as it does in an e-mail address. */
const AT = /(?<![\p{L}\p{N}_])@/gu;
const GOES_ON = /^[\p{L}\p{N}_]/u;
const RESOURCE_ID = /(?<![\p{L}\p{N}_])@(res_[0-9a-f]{32})(?![\p{L}\p{N}_])/gu;

/** The resource ids that a text mentions; whether there are such is another question. */
export const mentionedIds = (text: string): string[] => [...text.matchAll(RESOURCE_ID)].map(([, id]) => id);

/** Who of them is mentioned. Names may have spaces, so the longest that fits is meant; all who are called so. */
export function mentioned(text: string, people: readonly Mentionable[]): string[] {
  const ids = [...text.matchAll(AT)].flatMap(({ index }) => {
    const rest = text.slice(index + 1);
    const fitting = people.filter(({ name }) => startsWithName(rest, name));
    const longest = Math.max(...fitting.map(({ name }) => name.length));
    return fitting.filter(({ name }) => name.length === longest).map(({ id }) => id);
  });
  return [...new Set(ids)];
}

function startsWithName(text: string, name: string): boolean {
  const isSame = text.slice(0, name.length).toLowerCase() === name.toLowerCase();
  return isSame && !GOES_ON.test(text.slice(name.length));
}
