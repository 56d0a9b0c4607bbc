const MOST_CHARACTERS = 60;
/** Read before anything else is done, so that a long text costs no more than a short one. */
const MOST_READ = 500;

/**
 * A name that a person chose, as it may stand in a mail: on one line, 60 characters at most, and with nothing in it
 * that a mail program makes a link of (a scheme, an address, a domain).
 */
export function mailName(text: string): string {
  const line = text
    .slice(0, MOST_READ)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  // A space behind each sign that joins the parts of a link takes the link apart and leaves the name readable.
  const plain = line.replaceAll(/[.\u3002]+(?=\S)/gu, '$& ').replaceAll(/[:@]|\/{2,}|\\{2,}/gu, ' ');
  const characters = Array.from(plain.replaceAll(/ {2,}/g, ' ').trim());
  if (characters.length <= MOST_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}
