/** The size of the first chunk from which format and separator are detected. */
const START = 64 * 1024;

/** Combines the first chunks of a file into one of at least 64 KiB, because networks deliver chunks of any size. */
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

/** Returns the long start of a file, and all of the file. */
export async function peekedFile(
  file: AsyncIterable<Buffer>,
): Promise<{ start: Buffer; whole: AsyncIterable<Buffer> }> {
  const pieces = withLongStart(file);
  const first = await pieces.next();
  const whole = async function* (): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value;
    yield* pieces;
  };
  return { start: first.done === true ? Buffer.alloc(0) : first.value, whole: whole() };
}

/** Whether the file begins with the pattern, after white space and a byte order mark. */
export const beginsWith = (start: Buffer, pattern: RegExp): boolean =>
  pattern.test(
    start
      .subarray(0, START)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart(),
  );
