import { AsyncResource } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../common/errors.js';
import { networkOf } from '../../common/network.js';
import { rateLimited } from '../limits/limits.js';
import { enclosingOf } from './inner-requests.js';
import { isRehearsal } from './rehearsal.js';

/** Rejecting a request costs more than a place in the queue, which takes a few kilobytes. */
const MOST_WAITING = 1_000;
const RETRY_SECONDS = 1;
/** Health probes must not wait behind other requests from the same address. */
export const SERVED = '/api/';

/** The requests of one client: those in progress, and those waiting. */
interface Client {
  name: string;
  inWork: number;
  waiting: (() => void)[];
}

type Taking = FastifyRequest & { client?: Client; endTurn?: () => void };

/** Frees the slot of a request that only waits for an event. */
export const releaseSlot = (request: FastifyRequest): void => (request as Taking).endTurn?.();

/**
 * Prevents many requests of one client from delaying those of others: a limited number per session, or per address
 * without a session, is processed at once, and the rest wait. The session is taken from the unverified token, so forged
 * tokens wait behind themselves.
 */
export class SessionConcurrencyLimiter {
  private readonly clients = new Map<string, Client>();

  constructor(private readonly mostAtOnce: number) {}

  /** Called before other work on a request, when its body has been read. */
  keep(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', (request: Taking, reply, done) => {
      // An inner request would wait for the request that contains it.
      const isPart = isRehearsal(request) || enclosingOf(request) !== undefined;
      const isCounted = request.routeOptions.url?.startsWith(SERVED) === true && !isPart;
      if (isCounted) this.enter(request, reply, done);
      else done();
    });
    fastify.addHook('onSend', (request: Taking, _reply, payload, done) => {
      this.leave(request);
      done(null, payload);
    });
  }

  private enter(request: Taking, reply: FastifyReply, done: (error?: Error) => void): void {
    const client = this.clientOf(request);
    const begin = (): void => {
      request.client = client;
      request.endTurn = () => this.leave(request);
      // An answer to a disconnected client also frees its slot.
      reply.raw.once('close', () => this.leave(request));
      done(reply.raw.destroyed ? new ApiError('unavailable', 'The client closed the connection.') : undefined);
    };
    if (client.inWork < this.mostAtOnce) {
      client.inWork += 1;
      begin();
    } else if (client.waiting.length < MOST_WAITING) {
      // Started by the end of another request, it must not inherit its context.
      client.waiting.push(AsyncResource.bind(begin));
    } else done(rateLimited(RETRY_SECONDS));
  }

  /** The request that has waited longest gets the slot once the previous answer is being sent. */
  private leave(request: Taking): void {
    const { client } = request;
    if (client === undefined) return;
    request.client = undefined;
    const next = client.waiting.shift();
    if (next !== undefined) return void setImmediate(next);
    client.inWork -= 1;
    if (client.inWork === 0) this.clients.delete(client.name);
  }

  private clientOf({ headers, ip }: FastifyRequest): Client {
    // Only the token, because the scheme before it can be written in many ways.
    const token = headers.authorization?.split(' ').at(-1);
    const name = token === undefined || token === '' ? networkOf(ip) : token;
    const known = this.clients.get(name);
    if (known !== undefined) return known;
    const client = { name, inWork: 0, waiting: [] };
    this.clients.set(name, client);
    return client;
  }
}
