const APOSTROPHE = /[’‘ʼ‛ʻ`´′＇]/g;
const HYPHEN = /[‐‑‒–—―−]/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * The form in which names of people are compared: without case, and with one kind of apostrophe, hyphen and space. Accents
 * count, because they distinguish names. The function `fold_name` of the database returns the same.
 */
export const foldName = (name: string): string =>
  name
    .replaceAll(APOSTROPHE, "'")
    .replaceAll(HYPHEN, '-')
    .replaceAll(INVISIBLE, '')
    .normalize('NFKC')
    // Upper case first, because several lower case letters have the same upper case one.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    // The lower case of the dotted capital I has a combining dot.
    .replaceAll('\u0307', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
