import type { FastifyInstance } from 'fastify';
import { failureOf } from '../../context/failure-facts.js';
import { parentRequestOf } from '../../context/sub-requests.js';
import { spanOf } from './request-spans.js';
import type { Metrics } from '../../metrics/metrics.js';

/** Measures requests by the pattern of their route; those within a batch or a dry run are part of another request. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    if (parentRequestOf(request) === undefined) {
      const { url: route = 'none' } = request.routeOptions;
      const status = `${Math.floor(reply.statusCode / 100)}xx`;
      const span = spanOf(request);
      const exemplar = span === undefined ? undefined : { trace_id: span.traceId, span_id: span.spanId };
      metrics.observeRequest({ method: request.method, route, status }, reply.elapsedTime / 1_000, exemplar);
      const failure = failureOf(request);
      if (failure !== undefined) metrics.countRefusal(failure.code, failure.limit);
    }
    done();
  });
}
