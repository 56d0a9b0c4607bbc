/** Characters from this code point on, such as Chinese, Korean and emoji, are twice as wide as Latin letters. */
const FIRST_WIDE = 0x1100;

const widthOf = (character: string): number => ((character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1);

/** The longest beginning of the text that is at most `width` Latin letters wide. */
function beginning(text: string, width: number): string {
  let left = width;
  let result = '';
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) return result;
    result += character;
  }
  return text;
}

/** Shortens the text to a width in Latin letters, with an ellipsis if something was cut. */
export const clipped = (text: string, width: number): string =>
  beginning(text, width) === text ? text : `${beginning(text, width - 1).trimEnd()}…`;

/** Wraps the text into at most `lines` lines of a width in Latin letters, between words if possible. */
export function wrapped(text: string, width: number, lines: number): string[] {
  const fits = beginning(text, width);
  if (lines === 1 || fits === text) return [clipped(text, width)];
  const lastSpace = fits.lastIndexOf(' ');
  const line = text[fits.length] === ' ' || lastSpace <= 0 ? fits : fits.slice(0, lastSpace);
  return [line.trimEnd(), ...wrapped(text.slice(line.length).trimStart(), width, lines - 1)];
}
