import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { failureOf } from './failure-facts.js';
import { enclosingOf } from './inner-requests.js';
import { isRehearsal } from './rehearsal.js';
import type { RequestState } from './request.interceptor.js';

/** Probes come every few seconds and say nothing. */
const HEALTH = /^\/health\//;
const LONGEST_PATH = 200;

/**
 * One line per request, when its answer has left, or when it is ready and its client has gone: what was done stands in the
 * log whether or not anybody was told. The route's pattern stands for the path, so that neither ids in it nor values of
 * the query are written down; where there is no route, the path stands for it, cut. What failed for reasons of the
 * service's own is an error, with its cause.
 */
export function logRequests(fastify: FastifyInstance, log: Logger): void {
  const logged = new WeakSet<FastifyReply>();
  const write = (request: FastifyRequest & RequestState, reply: FastifyReply): void => {
    if (logged.has(reply) || isRehearsal(request)) return;
    logged.add(reply);
    const { url: route } = request.routeOptions;
    const isPart = enclosingOf(request) !== undefined;
    if (route !== undefined && HEALTH.test(route)) return;
    log[reply.statusCode >= 500 ? 'error' : 'info']({
      request_id: request.id,
      method: request.method,
      ...(route === undefined ? { path: request.url.split('?')[0].slice(0, LONGEST_PATH) } : { route }),
      status: reply.statusCode,
      ...failureOf(request),
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.caller?.userId,
      token_id: request.caller?.tokenId ?? undefined,
      address: request.ip,
      dry_run: request.isDryRun === true ? true : undefined,
      // Done where the batch of the same request id has succeeded.
      in_batch: isPart ? true : undefined,
      // The client went away before it had everything.
      aborted: reply.raw.writableFinished || isPart ? undefined : true,
    });
  };
  // Node tells of the end of an answer only where its connection was still there when the answer began.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (reply.raw.destroyed) write(request, reply);
    else reply.raw.once('close', () => write(request, reply));
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    write(request, reply);
    done();
  });
}
