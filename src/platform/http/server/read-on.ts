import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';

/** The time for which the rest of an answered request is read and discarded. */
const TIMEOUT_MS = 1_000;

/**
 * Returns the text as a response that ends only when the client has sent its whole request, or after a time limit. The
 * kernel resets a connection that is closed with unread bytes, and the client would lose the response.
 */
export function endedAfter({ raw }: FastifyRequest, text: string): Readable | string {
  if (raw.complete || raw.destroyed) return text;
  const response = async function* (): AsyncGenerator<string> {
    yield text;
    await discardRest(raw);
  };
  return Readable.from(response(), { objectMode: false });
}

function discardRest(request: FastifyRequest['raw']): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(deadline);
      resolve();
    };
    const deadline = setTimeout(end, TIMEOUT_MS).unref();
    request.unpipe();
    request.once('end', end).once('close', end).resume();
  });
}
