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

/**
 * Returns the name of a person for comparison: one normal form, without case, with one kind of apostrophe and space.
 * Accents count, because they distinguish names.
 */
export const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    // The lower case of the dotted capital I has a combining dot.
    .replaceAll('i\u0307', 'i')
    .replaceAll(/[’‘ʼ‛ʻ`´′]/g, "'")
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
