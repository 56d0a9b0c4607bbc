import { Turns } from '../../../common/turns.js';

const CHUNK = 8 * 1024;

/** Divides a file into small chunks, and lets other requests have their turn if the parsers of a chunk took long. */
export async function* inTurns(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const turns = new Turns();
  for await (const piece of file) {
    for (let at = 0; at < piece.length; at += CHUNK) {
      yield piece.subarray(at, at + CHUNK);
      if (turns.isOver) await turns.next();
    }
  }
}
