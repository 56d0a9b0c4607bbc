import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failureOf } from '../http/failure-facts.js';
import { parentRequestOf } from '../http/sub-requests.js';
import { currentSpan, within, type Span } from './span.js';
import { parentIn } from './traceparent.js';
import type { Tracing } from './tracing.js';

const spans = new WeakMap<FastifyRequest, Span>();

/** The span of a request; undefined if nothing is traced. */
export const spanOf = (request: FastifyRequest): Span | undefined => spans.get(request);

/** The id of the trace that a request belongs to: its own, or without traces the one that its client named. */
export const traceIdOf = (request: FastifyRequest): string | undefined =>
  spans.get(request)?.traceId ?? parentIn(request.headers.traceparent)?.traceId;

/**
 * Traces every request, from its headers until its connection is done with the response; one within a batch is a part of
 * the request that contains it. Registers nothing if traces are off.
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
  const { method, routeOptions } = request;
  const { url: route } = routeOptions;
  const name = route === undefined ? method : `${method} ${route}`;
  const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
  if (parentRequestOf(request) === undefined) {
    return tracing.begin(name, 'server', attributes, request.headers.traceparent);
  }
  return currentSpan()?.begin(name, 'internal', attributes);
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
