/** As much as tells formats and separators apart: a header, or what stands before the first bracket. */
const START = 64 * 1024;

/** The file with a first piece that is as long as the file or this; networks deliver the beginning in pieces of any size. */
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

/** Whether that is the first thing in the file behind white space and the mark of its encoding. */
export const beginsWith = (start: Buffer, sign: RegExp): boolean =>
  sign.test(
    start
      .subarray(0, START)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart(),
  );
