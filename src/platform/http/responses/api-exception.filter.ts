import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound, ApiError } from '../../../common/errors.js';
import { METADATA_PATHS, PROTECTED_PATHS } from '../../../common/programs.js';
import { serviceAddress } from '../../config/address.js';
import { Settings } from '../../config/settings.js';
import { Metrics } from '../../metrics/metrics.js';
import { isCallerConfirmed } from '../requests/caller-confirmation.js';
import { acceptedBodies } from '../bodies/body-reading.js';
import { failure } from './envelope.js';
import { noteFailure } from '../../context/failure-facts.js';
import type { RequestState } from '../requests/request.interceptor.js';
import { RouteTable } from '../server/route-table.js';
import { toApiError, type TranslatedError } from './to-api-error.js';

/** Translates every thrown error into the error envelope. */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly log = new Logger('Error');

  private readonly countGap: () => void;

  constructor(
    private readonly routes: RouteTable,
    private readonly settings: Settings,
    metrics: Metrics,
  ) {
    const help = 'Requests that only the database rejected, although validation should have: defects of the service.';
    const count = metrics.counter('validation_gaps', help, 'check', ['database']);
    this.countGap = () => count('database');
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest & RequestState>();
    const reply = http.getResponse<FastifyReply>();
    if (request.confirming === undefined) this.respond(error, request, reply);
    else void this.respondIfConfirmed(error, request, reply);
  }

  /** A caller whose session has ended gets 401, and no details about other errors of the request. */
  private async respondIfConfirmed(
    error: unknown,
    request: FastifyRequest & RequestState,
    reply: FastifyReply,
  ): Promise<void> {
    try {
      if (await isCallerConfirmed(request, reply)) this.respond(error, request, reply);
    } catch (refusal) {
      this.respond(refusal, request, reply);
    }
  }

  /** Also called by Fastify's hooks for requests that do not reach a handler. */
  respond(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const translated = this.withRouteErrors(toApiError(error), request, reply);
    const path = request.url.split('?')[0];
    if (translated.status >= 500 && translated.refusal.code === 'internal_error') this.log.error(request.id, error);
    if (translated.validatorGap === true) {
      this.countGap();
      this.log.warn(`${request.id} validator_gap ${path}`, error);
    }
    noteFailure(request, translated, error);
    // A streamed response that has begun is broken off; sending an error after it would only hide the cause.
    if (reply.sent || reply.raw.headersSent) return;
    const { accept, authorization } = request.headers;
    const isOfApi = path.startsWith(`${PROTECTED_PATHS.api}/`);
    const metadata = isOfApi ? serviceAddress(this.settings) + METADATA_PATHS.api : undefined;
    const asked = { id: request.id, path, accept, authorization, metadata };
    const { status, headers, body } = failure(translated.refusal, translated.status, asked);
    if (status === 415) void reply.headers(acceptedBodies(request));
    void reply.code(status).headers(headers).send(body);
  }

  /**
   * For a path without a route, 404 or 405 takes precedence over other errors. A known path with the wrong method is
   * 405, which the router does not distinguish from 404.
   */
  private withRouteErrors(translated: TranslatedError, request: FastifyRequest, reply: FastifyReply): TranslatedError {
    if ((!request.is404 && !this.routes.isShadowed(request)) || translated.status >= 500) return translated;
    const allowed = this.routes.methodsOf(request.url.split('?')[0]);
    if (allowed.length === 0) return toApiError(notFound());
    void reply.header('allow', allowed.join(', '));
    return toApiError(new ApiError('method_not_allowed', `This path supports ${allowed.join(', ')}.`, { allowed }));
  }
}
