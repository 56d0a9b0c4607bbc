/** Letters from here on, such as Chinese and Korean ones and emoji, are twice as wide as Latin ones. */
const FIRST_WIDE = 0x1100;

const widthOf = (letter: string): number => ((letter.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1);

/** The longest beginning of the text that is at most `most` Latin letters wide. */
function beginning(text: string, most: number): string {
  let room = most;
  let kept = '';
  for (const letter of text) {
    room -= widthOf(letter);
    if (room < 0) return kept;
    kept += letter;
  }
  return text;
}

/** Shortens the text to the width of `most` Latin letters, with an ellipsis if something was cut. */
export const clipped = (text: string, most: number): string =>
  beginning(text, most) === text ? text : `${beginning(text, most - 1).trimEnd()}…`;

/** Wraps the text into at most `lines` lines, between words where possible; widths are in Latin letters. */
export function wrapped(text: string, most: number, lines: number): string[] {
  const fits = beginning(text, most);
  if (lines === 1 || fits === text) return [clipped(text, most)];
  const lastSpace = fits.lastIndexOf(' ');
  const line = text[fits.length] === ' ' || lastSpace <= 0 ? fits : fits.slice(0, lastSpace);
  return [line.trimEnd(), ...wrapped(text.slice(line.length).trimStart(), most, lines - 1)];
}
