import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { failureOf } from '../../context/failure-facts.js';
import { traceIdOf } from './request-spans.js';
import { isInBatch, isTrial } from '../../context/sub-requests.js';
import type { RequestState } from '../requests/request.interceptor.js';

/** Frequent probes are not logged. */
const HEALTH = /^\/health\//;
const MAX_PATH_LENGTH = 200;

/**
 * Logs one line per request when its response has been sent, or when it is ready but its client has gone, so that the log
 * shows what was done in both cases. Logs the pattern of the route instead of the path, so that ids and query values
 * are not stored; without a route, the shortened path. Failures of the service are logged as errors with their cause.
 */
export function logRequests(fastify: FastifyInstance, log: Logger): void {
  const logged = new WeakSet<FastifyReply>();
  const write = (request: FastifyRequest & RequestState, reply: FastifyReply): void => {
    if (logged.has(reply) || isTrial(request)) return;
    logged.add(reply);
    const { url: route } = request.routeOptions;
    const isInner = isInBatch(request);
    if (route !== undefined && HEALTH.test(route)) return;
    const failure = failureOf(request);
    // A streamed response that was broken off keeps the status with which it began.
    const isFault = reply.statusCode >= 500 || failure?.cause !== undefined;
    log[isFault ? 'error' : 'info']({
      request_id: request.id,
      trace_id: traceIdOf(request),
      method: request.method,
      ...(route === undefined ? { path: request.url.split('?')[0].slice(0, MAX_PATH_LENGTH) } : { route }),
      status: reply.statusCode,
      ...failure,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.caller?.userId,
      token_id: request.caller?.tokenId ?? undefined,
      address: request.ip,
      dry_run: request.isDryRun === true ? true : undefined,
      // A write in a batch takes effect only if the batch, which has the same request id, succeeds.
      in_batch: isInner ? true : undefined,
      // The client disconnected before the response was complete.
      aborted: reply.raw.writableFinished || isInner ? undefined : true,
    });
  };
  // Node reports the end of a response only if the connection still existed when the response began.
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
