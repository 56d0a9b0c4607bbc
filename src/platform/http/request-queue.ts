import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TickBatcher } from './tick-batcher.js';
import { SERVED } from './session-concurrency-limiter.js';

/** What comes behind so many is begun at once, so that no line grows for ever; the turns of its client bound it then. */
const MOST_IN_LINE = 1_000;
const PER_TURN = 1;

/**
 * Decides when a request begins, so that one client's many requests do not stand before those of others. Requests of one
 * connection begin one after the other: their responses leave in that order anyway, and each sees what the one before it
 * did. Of requests without a session, and of those that sign in, one begins in each turn of the event loop.
 */
export class RequestQueue {
  private readonly lines = new WeakMap<Socket, (() => void)[]>();
  private readonly followers = new TickBatcher(PER_TURN);
  private readonly strangers = new TickBatcher(PER_TURN);

  private constructor(private readonly handle: RequestListener) {}

  /** From here on that server's requests begin in their turn. */
  static keep(server: Server): void {
    const [handle] = server.listeners('request') as RequestListener[];
    const queue = new RequestQueue(handle);
    server.removeAllListeners('request').on('request', (request, response) => queue.take(request, response));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const line = this.lines.get(request.socket);
    if (line === undefined) {
      this.lines.set(request.socket, []);
      this.begin(request, response);
    } else if (line.length < MOST_IN_LINE) {
      // Begun by the end of another request, it must not take over what belongs to that one.
      line.push(AsyncResource.bind(() => this.begin(request, response)));
    } else this.handle(request, response);
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => this.passOn(request.socket));
    if (isOfStranger(request)) this.strangers.add(() => this.handle(request, response));
    else this.handle(request, response);
  }

  private passOn(socket: Socket): void {
    const next = socket.destroyed ? undefined : this.lines.get(socket)?.shift();
    if (next === undefined) this.lines.delete(socket);
    else this.followers.add(next);
  }
}

/** Whether a token is good turns out later; but a client that invents one does not get past the others who sign in. */
function isOfStranger({ headers, method, url = '' }: IncomingMessage): boolean {
  if (!url.startsWith(SERVED)) return false;
  return headers.authorization === undefined || (method === 'POST' && url.startsWith('/api/v1/auth/'));
}
