import type { Readable } from 'node:stream';

/** An answer that is sent piece by piece as its client reads it, and is destroyed where the client goes away. */
export class TextStream {
  constructor(
    readonly body: Readable,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}
