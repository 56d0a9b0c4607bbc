import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { OperationRegistry } from './access/operations/operation-registry.js';
import { AppModule, type AppParts } from './app.module.js';
import { RefusalTally } from './platform/audit/refusal-tally.js';
import { countRefusals } from './platform/http/server/audited-refusals.js';
import { Readiness } from './platform/health/readiness.js';
import { logRequests } from './platform/http/server/access-log.js';
import { makeAdapter } from './platform/http/server/adapter.js';
import { OauthServer } from './modules/oauth/oauth-server.js';
import { RegistrationServer } from './modules/oauth/registration/registration-server.js';
import { ScimServer } from './modules/scim/protocol/scim-server.js';
import { ApiExceptionFilter } from './platform/http/responses/api-exception.filter.js';
import { ignoreUnknownFields } from './platform/context/unknown-fields.js';
import { answerOptions, refuseOtherMethods } from './platform/http/server/options.js';
import { compressResponses } from './platform/http/server/compression.js';
import { corsFor } from './platform/http/server/cors.js';
import { GLOBAL_PREFIX } from './platform/http/server/declared-routes.js';
import { serveDocuments } from './platform/http/openapi/documents.js';
import { bindRequestContext, RequestContext } from './platform/context/request-context.js';
import { RouteTable } from './platform/http/server/route-table.js';
import { SessionConcurrencyLimiter } from './platform/http/server/session-concurrency-limiter.js';
import { ResponseBufferLimiter } from './platform/http/server/response-buffer-limiter.js';
import { Metrics } from './platform/metrics/metrics.js';
import { serveMetrics, type MetricsSource } from './platform/metrics/metrics-server.js';
import { measureRequests } from './platform/http/server/request-metrics.js';
import { traceRequests } from './platform/http/server/request-spans.js';
import { Tracing } from './platform/tracing/tracing.js';
import { NestLog } from './platform/logging/log.js';
import { announceLeaving } from './platform/process/drain.js';

/**
 * Builds the service for serve.ts and for tests, ready to serve requests but not listening yet. It serves the metrics of
 * `metricsOfAll` if it is one of several processes.
 */
export async function makeApp(
  parts: AppParts,
  log: Logger,
  metricsOfAll?: MetricsSource,
): Promise<NestFastifyApplication> {
  const { settings } = parts;
  ignoreUnknownFields(settings.UNKNOWN_FIELDS === 'ignore');
  const adapter = makeAdapter(settings.TRUSTED_PROXIES);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(parts), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(log),
  });
  adapter.unread = app.get(ResponseBufferLimiter);
  app.setGlobalPrefix(...GLOBAL_PREFIX);
  const fastify = app.getHttpAdapter().getInstance();
  const routes = app.get(RouteTable);
  new SessionConcurrencyLimiter(settings.LIMIT_REQUESTS_AT_ONCE).register(fastify);
  await app.get(Tracing).open();
  traceRequests(fastify, app.get(Tracing));
  bindRequestContext(fastify, app.get(RequestContext));
  logRequests(fastify, log);
  countRefusals(fastify, app.get(RefusalTally));
  measureRequests(fastify, app.get(Metrics));
  announceLeaving(fastify, app.get(Readiness));
  fastify.addHook('onRoute', ({ url, method }) => routes.add(url, method));
  const hasCors = settings.CORS_ORIGINS.length > 0;
  answerOptions(fastify, routes, { hasCors });
  refuseOtherMethods(fastify, routes, app.get(ApiExceptionFilter));
  if (hasCors) app.enableCors(corsFor(settings.CORS_ORIGINS));
  if (settings.COMPRESSION) compressResponses(fastify);
  app.get(ScimServer).register(fastify);
  app.get(OauthServer).register(fastify);
  app.get(RegistrationServer).register(fastify);
  serveMetrics(fastify, metricsOfAll ?? app.get(Metrics), settings);
  serveDocuments(app, app.get(OperationRegistry).all);
  await app.init();
  await fastify.ready();
  return app;
}
