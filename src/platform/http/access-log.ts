import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Asking } from './request.interceptor.js';

/**
 * One line per request, when its answer has left. The route's pattern stands for the path, so that neither ids in it
 * nor values of the query are written down.
 */
export function logRequests(fastify: FastifyInstance, log: Logger): void {
  fastify.addHook('onResponse', (request: FastifyRequest & Asking, reply, done) => {
    log.info({
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.caller?.userId,
      address: request.ip,
      // The client went away before it had everything.
      aborted: reply.raw.writableFinished ? undefined : true,
    });
    done();
  });
}
