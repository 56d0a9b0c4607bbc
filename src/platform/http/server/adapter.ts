import { randomUUID } from 'node:crypto';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxHeaderSize, type Server } from 'node:http';
import { RequestQueue } from './request-queue.js';
import { readBodies } from '../bodies/body-reading.js';
import { answerMalformedRequest } from './broken-requests.js';
import { isCallerConfirmed } from '../requests/caller-confirmation.js';
import { composeRead } from '../responses/compose.js';
import { failure } from '../responses/envelope.js';
import { noteFailure } from '../../context/failure-facts.js';
import type { RequestState } from '../requests/request.interceptor.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { StreamedList } from '../responses/streamed-list.js';
import { toApiError } from '../responses/to-api-error.js';
import type { ResponseBufferLimiter } from './response-buffer-limiter.js';

const CHARSET = '; charset=utf-8';
const JSON_WITH_PARAMETERS = /^[\w/.+-]+json;/;
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/** Configures the HTTP server: limits, request ids, headers and the reading of bodies. */
export function makeAdapter(trustedProxies: string[]): Adapter {
  const options: FastifyHttpOptions<Server> = {
    // As long as a request line can be: the operations judge the lengths of ids.
    routerOptions: { maxParamLength: maxHeaderSize },
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // Drops a response that its client does not read. No response takes that long to its first byte, not even an export.
    connectionTimeout: 70_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // By default, Node checks for late requests every 30 s, and headers could take that long.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    return503OnClosing: false,
    clientErrorHandler: answerMalformedRequest,
    frameworkErrors: (error, request, strictReply) => {
      // The type covers only the replies of declared routes.
      const reply = strictReply as unknown as FastifyReply;
      const verdict = toApiError(error);
      const { refusal, status } = verdict;
      noteFailure(request, verdict, error);
      const path = request.url.split('?')[0];
      const response = failure(refusal, status, { id: request.id, path, accept: request.headers.accept });
      void reply.code(status).headers({ ...SECURITY_HEADERS, 'x-request-id': request.id, ...response.headers });
      // Bytes, because no hook removes the charset that Fastify adds to JSON as text.
      void reply.send(Buffer.from(response.body));
    },
  };
  const adapter = new Adapter(options);
  // Their size is limited. By default, headers after the first thousand are silently dropped, including an If-Match.
  const server = adapter.getHttpServer();
  server.maxHeadersCount = 0;
  RequestQueue.install(server);
  const fastify = adapter.getInstance() as FastifyInstance;
  readBodies(fastify);
  sendJsonWithoutCharset(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done();
  });
  return adapter;
}

/** Sends the results of controllers in the envelope; responses to writes arrive complete. */
export class Adapter extends FastifyAdapter {
  /** Set by {@link makeApp} before any request is served. */
  unread: ResponseBufferLimiter;

  override reply(reply: FastifyReply, result: unknown, status?: number): FastifyReply {
    if (typeof result === 'string') return super.reply(reply, result, status);
    // Nest awaits what this returns, although the declared type is not a promise.
    return this.respondToRead(reply.request, reply, result) as unknown as FastifyReply;
  }

  private async respondToRead(
    request: FastifyRequest & RequestState,
    reply: FastifyReply,
    result: unknown,
  ): Promise<void> {
    if (request.confirming !== undefined && !(await isCallerConfirmed(request, reply))) return;
    if (result instanceof StreamedList) return result.send(reply);
    const { status, headers, body } = composeRead(result, request, reply.statusCode);
    this.unread.hold(request, reply, body);
    // An empty text would add content headers, which 304 must not have.
    void reply
      .code(status)
      .headers(headers)
      .send(body.length === 0 ? undefined : body);
  }
}

/** Fastify adds a charset to every JSON type, which has none, and quotes its other parameters. */
function sendJsonWithoutCharset(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.endsWith(CHARSET) && JSON_WITH_PARAMETERS.test(type)) {
      void reply.header('content-type', type.slice(0, -CHARSET.length).replaceAll('"', ''));
    }
    done(null, payload);
  });
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
