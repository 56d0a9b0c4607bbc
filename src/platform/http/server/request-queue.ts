import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TickBatcher } from './tick-batcher.js';
import { isServed } from './session-concurrency-limiter.js';

/**
 * The maximum number of waiting requests per connection, so that no queue grows without limit. Further requests start
 * at once; the session limiter still applies to them.
 */
const MAX_WAITING = 1_000;
const PER_TURN = 1;

/**
 * Orders the start of requests, so that many requests of one client do not delay those of others. Requests of one
 * connection start one after the other: their responses are sent in that order anyway, and each sees the effects of the
 * previous one. Of requests without a session, and of sign-ins, one starts in each turn of the event loop.
 */
export class RequestQueue {
  private readonly queues = new WeakMap<Socket, (() => void)[]>();
  private readonly next = new TickBatcher(PER_TURN);
  private readonly anonymous = new TickBatcher(PER_TURN);

  private constructor(private readonly handle: RequestListener) {}

  /** Queues all further requests of the server. */
  static install(server: Server): void {
    const [handle] = server.listeners('request') as RequestListener[];
    const queue = new RequestQueue(handle);
    server.removeAllListeners('request').on('request', (request, response) => queue.enqueue(request, response));
  }

  private enqueue(request: IncomingMessage, response: ServerResponse): void {
    const queue = this.queues.get(request.socket);
    if (queue === undefined) {
      this.queues.set(request.socket, []);
      this.start(request, response);
    } else if (queue.length < MAX_WAITING) {
      // Keeps its own context, because the end of another request starts it.
      queue.push(AsyncResource.bind(() => this.start(request, response)));
    } else this.handle(request, response);
  }

  private start(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => this.startNext(request.socket));
    if (isAnonymous(request)) this.anonymous.add(() => this.handle(request, response));
    else this.handle(request, response);
  }

  private startNext(socket: Socket): void {
    const next = socket.destroyed ? undefined : this.queues.get(socket)?.shift();
    if (next === undefined) this.queues.delete(socket);
    else this.next.add(next);
  }
}

/** Whether the request has no token, or is a sign-in; tokens are verified later. */
function isAnonymous({ headers, method, url = '' }: IncomingMessage): boolean {
  if (!isServed(url)) return false;
  return headers.authorization === undefined || (method === 'POST' && url.startsWith('/api/v1/auth/'));
}
