/** The size of the start that is needed to detect format and separator. */
const START = 64 * 1024;

/** Returns the file with a first chunk of at least this size, because networks deliver chunks of any size. */
export async function* withLongStart(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer[] | undefined = [];
  let length = 0;
  for await (const piece of file) {
    if (start === undefined) yield piece;
    else {
      start.push(piece);
      length += piece.length;
      if (length < START) continue;
      yield Buffer.concat(start);
      start = undefined;
    }
  }
  if (start !== undefined && length > 0) yield Buffer.concat(start);
}

/** Whether the file begins with that text, after white space and a byte order mark. */
export const beginsWith = (start: Buffer, sign: RegExp): boolean =>
  sign.test(
    start
      .subarray(0, START)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart(),
  );
