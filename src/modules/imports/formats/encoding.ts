import { UnreadableFile } from '../reading/import-format.js';

/** Names the encoding of a file that is not UTF-8, as far as its first bytes tell. */
export function encodingError(start: Uint8Array): UnreadableFile {
  const name = encodingOf(start);
  return new UnreadableFile(
    `The file is not UTF-8${name === undefined ? '' : `; it looks like ${name}`}. Save or convert it as UTF-8, such as with iconv -f ${name?.split(' ')[0] ?? 'LATIN1'} -t UTF-8.`,
  );
}

/** Whether the first bytes are those of UTF-16 or UTF-32, which can be valid UTF-8 with NUL characters. */
export function assertNotWide(start: Uint8Array): void {
  if (encodingOf(start)?.startsWith('UTF-') === true) throw encodingError(start);
}

function encodingOf(start: Uint8Array): string | undefined {
  const [a, b, c, d] = start;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32LE' : 'UTF-16LE';
  if (a === 0xfe && b === 0xff) return 'UTF-16BE';
  if (start.length >= 4) {
    if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'UTF-16LE';
    if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'UTF-16BE';
  }
  return start.some((byte) => byte >= 0x80) ? 'WINDOWS-1252 (Latin-1)' : undefined;
}
