import { AsyncResource } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../common/errors.js';
import { networkOf } from '../../common/network.js';
import { rateLimited } from '../limits/limits.js';
import { enclosingOf } from './inner-requests.js';
import { isRehearsal } from './rehearsal.js';

/** A refusal costs more than a place to wait, which is a few kilobytes. */
const MOST_WAITING = 1_000;
const RETRY_SECONDS = 1;
/** Probes must not wait behind anybody's requests, wherever they come from. */
export const SERVED = '/api/';

/** What one client has here: so many requests in work, and others that wait for one of them to be answered. */
interface Client {
  name: string;
  inWork: number;
  waiting: (() => void)[];
}

type Taking = FastifyRequest & { client?: Client; endTurn?: () => void };

/** Lets others of the client go on while this request only waits for something to happen. */
export const releaseSlot = (request: FastifyRequest): void => (request as Taking).endTurn?.();

/**
 * Keeps one client's many requests from standing before those of others: only so many of a session, or of an address
 * without a session, are in work at once, and the rest of them wait for each other. Which session it is need not
 * be known yet; a forged token waits behind itself.
 */
export class SessionConcurrencyLimiter {
  private readonly clients = new Map<string, Client>();

  constructor(private readonly mostAtOnce: number) {}

  /** To be kept before anything else is done for a request whose body has been read. */
  keep(fastify: FastifyInstance): void {
    fastify.addHook('preHandler', (request: Taking, reply, done) => {
      // A part of a request that has its turn would wait for it.
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
      // What is answered into nowhere is over as well.
      reply.raw.once('close', () => this.leave(request));
      done(reply.raw.destroyed ? new ApiError('unavailable', 'The client closed the connection.') : undefined);
    };
    if (client.inWork < this.mostAtOnce) {
      client.inWork += 1;
      begin();
    } else if (client.waiting.length < MOST_WAITING) {
      // Begun by the end of another request, it must not take over what belongs to that one.
      client.waiting.push(AsyncResource.bind(begin));
    } else done(rateLimited(RETRY_SECONDS));
  }

  /** The request that has waited longest takes the place once the response that made room is on its way. */
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
    // The token alone: the scheme before it can be written in many ways.
    const token = headers.authorization?.split(' ').at(-1);
    const name = token === undefined || token === '' ? networkOf(ip) : token;
    const known = this.clients.get(name);
    if (known !== undefined) return known;
    const client = { name, inWork: 0, waiting: [] };
    this.clients.set(name, client);
    return client;
  }
}
