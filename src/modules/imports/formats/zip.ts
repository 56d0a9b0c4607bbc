import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { UnreadableFile } from '../reading/import-format.js';

const HEADER = 30;
const LOCAL_FILE = 0x04_03_4b_50;
const DEFLATED = 8;
/** The maximum uncompressed size: larger than real exports, and far smaller than the contents of a zip bomb of 200 MiB. */
const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Streams the first file of a zip archive, which must have that name; a file that is not an archive is passed through.
 * Streamed archives store the size of a file after it, so the end of the compressed data is used instead.
 */
export async function* zippedFile(file: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const pieces = file[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await pieces.next();
    if (done !== true) start = Buffer.concat([start, value]);
    return done !== true;
  };
  while (start.length < HEADER && (await more())) continue;
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield start;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  };
  if (start.length < HEADER || start.readUInt32LE(0) !== LOCAL_FILE) return yield* rest();
  const [nameLength, extraLength] = [start.readUInt16LE(26), start.readUInt16LE(28)];
  const data = HEADER + nameLength + extraLength;
  while (start.length < data && (await more())) continue;
  const fileName = start.subarray(HEADER, HEADER + nameLength).toString('utf8');
  if (fileName !== name || start.readUInt16LE(8) !== DEFLATED) {
    throw new UnreadableFile(`The archive does not begin with ${name}; send that file by itself.`);
  }
  start = start.subarray(data);
  yield* inflated(rest());
}

async function* inflated(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  const output = new PassThrough();
  const whole = pipeline(untilEnd(compressed, inflate), inflate, output);
  // Errors of the pipeline are thrown when its output is read.
  whole.catch(() => undefined);
  let bytes = 0;
  try {
    for await (const piece of output as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw new UnreadableFile('The file in the archive is larger than 1 GiB.');
      yield piece;
    }
    // The rest of the body is read, because a client that is still sending could miss the response.
    await whole;
  } catch (error) {
    const isBroken = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw isBroken ? new UnreadableFile('The archive cannot be read.') : error;
  }
}

/** Yields the compressed data; reads and discards the bytes after it. */
async function* untilEnd(compressed: AsyncIterable<Buffer>, inflate: InflateRaw): AsyncGenerator<Buffer> {
  for await (const piece of compressed) {
    if (!inflate.readableEnded && !inflate.writableEnded) yield piece;
  }
}
