/** Returns a word for comparison: without case, accents, and differences between spaces, hyphens and underscores. */
export const foldWord = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[’‘ʼ‛`´]/g, "'")
    .replaceAll(/[\s_\-‐-―./:]+/g, ' ')
    .trim();

/** Splits a list of words that is written with bars; each is folded. */
export const wordsIn = (list: string): string[] => list.split('|').map(foldWord);

/** Returns the entry of a table whose keys are folded words. */
export const lookUp = <V>(table: ReadonlyMap<string, V>, text: string): V | undefined => table.get(foldWord(text));
