import { AsyncResource } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../common/errors.js';
import { networkOf } from '../../../common/network/network.js';
import { rateLimited } from '../../limits/rate-limited.js';
import { parentRequestOf } from '../../context/sub-requests.js';

/** The maximum queue length per client; high, because a waiting request takes only a few kilobytes. */
const MAX_WAITING = 1_000;
const WAITING = {
  name: 'waiting_requests',
  counts: 'waiting requests of one client',
  most: MAX_WAITING,
  seconds: null,
  setting: null,
};
const RETRY_SECONDS = 1;
const SERVED = ['/api/', '/scim/'];
/** Whether requests with the path wait for others: health probes must not wait behind those from the same address. */
export const isServed = (path: string): boolean => SERVED.some((prefix) => path.startsWith(prefix));

/** The number of running requests of one client, and its waiting ones. */
interface Client {
  name: string;
  running: number;
  waiting: (() => void)[];
}

interface LimitedRequest extends FastifyRequest {
  client?: Client;
  releaseSlot?: () => void;
  identify?: () => void;
  caller?: { userId: string; managerId?: string };
  /** The client of a request that no user sends. */
  clientName?: string;
}

/** The number of tokens whose users are remembered; the oldest are forgotten. */
const MAX_TOKENS = 10_000;
const REFUSED = 400;

/** Counts a request, whose caller has just been found, for its user instead of its address. */
export const identify = (request: FastifyRequest): void => (request as LimitedRequest).identify?.();

/** Counts a request that no user sends for the client with that name instead of its address. */
export const identifyAs = (request: FastifyRequest, clientName: string): void => {
  Object.assign(request, { clientName });
  identify(request);
};

/** Frees the slot of a request that only waits for an event. */
export const releaseSlot = (request: FastifyRequest): void => (request as LimitedRequest).releaseSlot?.();

/**
 * Prevents many requests of one client from delaying those of others: a limited number per user is processed at once, and
 * the rest wait. Requests count for their user, together with those of the user's other tokens and sessions, and of agents
 * that the user manages. Those without a token, and those with a token that has not been accepted yet, count for their
 * address until their caller is found, so that many new tokens are not many clients; then the request moves to its user. If
 * the user already has as many as possible, it keeps the slot of its address.
 */
export class SessionConcurrencyLimiter {
  private readonly clients = new Map<string, Client>();
  /** The users of tokens that have been accepted. */
  private readonly users = new Map<string, string>();

  constructor(private readonly maxConcurrent: number) {}

  /** Registers the hooks; must be called before other hooks that run when the body has been read. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', (request: LimitedRequest, reply, done) => {
      // An inner request would wait for the request that contains it.
      const isInner = parentRequestOf(request) !== undefined;
      const isCounted = isServed(request.routeOptions.url ?? '') && !isInner;
      if (isCounted) this.enter(request, reply, done);
      else done();
    });
    fastify.addHook('onSend', (request: LimitedRequest, reply, payload, done) => {
      this.leave(request);
      if (reply.statusCode < REFUSED) this.rememberUser(request);
      done(null, payload);
    });
  }

  private enter(request: LimitedRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const client = this.clientOf(request);
    const begin = (): void => {
      request.client = client;
      request.releaseSlot = () => this.leave(request);
      request.identify = () => this.moveToUser(request);
      // A response to a disconnected client also frees its slot.
      reply.raw.once('close', () => this.leave(request));
      done(reply.raw.destroyed ? new ApiError('unavailable', 'The client closed the connection.') : undefined);
    };
    if (client.running < this.maxConcurrent) {
      client.running += 1;
      begin();
    } else if (client.waiting.length < MAX_WAITING) {
      // Keeps its own context, because the end of another request starts it.
      client.waiting.push(AsyncResource.bind(begin));
    } else done(rateLimited(WAITING, RETRY_SECONDS));
  }

  /** The request that has waited longest gets the slot once the previous response is being sent. */
  private leave(request: LimitedRequest): void {
    const { client } = request;
    if (client === undefined) return;
    request.client = undefined;
    const next = client.waiting.shift();
    if (next !== undefined) return void setImmediate(next);
    client.running -= 1;
    if (client.running === 0) this.clients.delete(client.name);
  }

  private moveToUser(request: LimitedRequest): void {
    this.rememberUser(request);
    if (request.client === undefined) return;
    const user = this.clientOf(request);
    if (request.client === user || user.running >= this.maxConcurrent) return;
    user.running += 1;
    this.leave(request);
    request.client = user;
  }

  private rememberUser({ headers, caller, clientName = caller?.managerId ?? caller?.userId }: LimitedRequest): void {
    const token = tokenOf(headers);
    if (clientName === undefined || token === undefined || this.users.has(token)) return;
    if (this.users.size >= MAX_TOKENS) this.users.delete(this.users.keys().next().value ?? '');
    this.users.set(token, clientName);
  }

  private clientOf({ headers, ip }: FastifyRequest): Client {
    const token = tokenOf(headers);
    const name = (token === undefined ? undefined : this.users.get(token)) ?? networkOf(ip);
    const existing = this.clients.get(name);
    if (existing !== undefined) return existing;
    const client = { name, running: 0, waiting: [] };
    this.clients.set(name, client);
    return client;
  }
}

/** The token of a request, without the scheme before it, which clients can write in many ways. */
function tokenOf({ authorization }: FastifyRequest['headers']): string | undefined {
  const token = authorization?.split(' ').at(-1);
  return token === '' ? undefined : token;
}
