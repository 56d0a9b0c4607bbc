import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TickBatcher } from './tick-batcher.js';
import { SERVED } from './session-concurrency-limiter.js';

/**
 * Requests beyond this number start at once, so that no queue grows without limit; the session limiter applies to them.
 */
const MOST_IN_LINE = 1_000;
const PER_TURN = 1;

/**
 * Orders the start of requests, so that many requests of one client do not delay those of others. Requests of one
 * connection start one after the other: their answers are sent in that order anyway, and each sees the effects of the
 * previous one. Of requests without a session, and of sign-ins, one starts in each turn of the event loop.
 */
export class RequestQueue {
  private readonly lines = new WeakMap<Socket, (() => void)[]>();
  private readonly followers = new TickBatcher(PER_TURN);
  private readonly strangers = new TickBatcher(PER_TURN);

  private constructor(private readonly handle: RequestListener) {}

  /** Queues the requests of that server from now on. */
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
      // Started by the end of another request, it must not inherit its context.
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

/** The token is verified later; a client with an invented one cannot overtake others who sign in. */
function isOfStranger({ headers, method, url = '' }: IncomingMessage): boolean {
  if (!url.startsWith(SERVED)) return false;
  return headers.authorization === undefined || (method === 'POST' && url.startsWith('/api/v1/auth/'));
}
