import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failureOf } from '../../context/failure-facts.js';
import { parentRequestOf } from '../../context/sub-requests.js';
import { currentSpan, within, type Span, type SpanFacts } from '../../spans/span.js';
import { parentIn } from '../../tracing/traceparent.js';
import type { Tracing } from '../../tracing/tracing.js';

const spans = new WeakMap<FastifyRequest, Span>();

/** The span of a request; undefined if it is not traced. */
export const spanOf = (request: FastifyRequest): Span | undefined => spans.get(request);

/** The id of the trace that a request belongs to: its own, or if that is not kept, the one that its client named. */
export const traceIdOf = (request: FastifyRequest): string | undefined =>
  spans.get(request)?.traceId ?? parentIn(request.headers.traceparent)?.traceId;

/**
 * Traces requests, from their headers until their connection is done with the response; one within a batch is a part of
 * the request that contains it. Those whose trace is not kept cost a random number. Registers nothing if traces are off.
 */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  if (!tracing.isOn) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    const span = begun(request, tracing);
    if (span !== undefined) {
      spans.set(request, span);
      reply.raw.once('close', () => finish(span, request, reply));
    }
    done();
  });
  // The body has been read by now, in another asynchronous context than that of the headers.
  fastify.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else within(span, done);
  });
  // Responses within a batch have no connection that could close.
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span !== undefined) finish(span, request, reply);
    done();
  });
}

function begun(request: FastifyRequest, tracing: Tracing): Span | undefined {
  if (parentRequestOf(request) === undefined) {
    return tracing.begin(() => factsOf(request), request.headers.traceparent);
  }
  const outer = currentSpan();
  if (outer === undefined) return undefined;
  const { name, attributes } = factsOf(request);
  return outer.begin(name, 'internal', attributes);
}

function factsOf({ method, routeOptions: { url: route } }: FastifyRequest): SpanFacts {
  const name = route === undefined ? method : `${method} ${route}`;
  return {
    name,
    kind: 'server',
    attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
  };
}

function finish(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const failure = failureOf(request);
  const isFault = reply.statusCode >= 500 || failure?.cause !== undefined;
  span.end(
    {
      'http.response.status_code': reply.statusCode,
      'worksmith.request_id': request.id,
      ...(failure !== undefined && { 'error.type': failure.code }),
    },
    isFault ? (failure?.code ?? String(reply.statusCode)) : undefined,
  );
}
