const MAX_CHARACTERS = 60;
/** Longer names are cut before they are processed, so that a long text costs no more than a short one. */
const MAX_INPUT = 500;

/**
 * A user-chosen name or title in a safe form for mails: on one line, at most 60 characters, and without anything that mail
 * programs turn into links (a scheme, an address, a domain).
 */
export function mailName(text: string): string {
  const line = text
    .slice(0, MAX_INPUT)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  // A space after each joining character breaks links and keeps the name readable.
  const plain = line.replaceAll(/[.\u3002]+(?=\S)/gu, '$& ').replaceAll(/[:@]|\/{2,}|\\{2,}/gu, ' ');
  const characters = Array.from(plain.replaceAll(/ {2,}/g, ' ').trim());
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}
