import { Injectable, Logger } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../common/errors.js';
import { noteFailure } from '../../../platform/context/failure-facts.js';
import { toApiError } from '../../../platform/http/responses/to-api-error.js';
import { InvalidMetadata } from '../clients/client-metadata.rules.js';
import { ClientRegistration, RegistrationRefused } from './client-registration.js';
import { REGISTRATION } from '../oauth-addresses.js';
import type { FreshOauthClient } from '../clients/oauth-clients.service.js';

const MAX_BYTES = 16 * 1024;
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

type TypedRequest = FastifyRequest & { sentType?: string };

/** An error in the form of RFC 7591, section 3.2.2. */
interface Fault {
  status: number;
  error: string;
  description: string;
}

/** Serves the registration of programs (RFC 7591) beside the authorization server, with the errors of its standard. */
@Injectable()
export class RegistrationServer {
  private readonly log = new Logger('OAuth');

  constructor(private readonly registration: ClientRegistration) {}

  register(fastify: FastifyInstance): void {
    void fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const options = { parseAs: 'string' as const, bodyLimit: MAX_BYTES };
      scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
      scope.setErrorHandler((error: FastifyError, request, reply) => this.fail(error, request, reply));
      scope.post(REGISTRATION, async (request: TypedRequest, reply) => {
        const registered = await this.registration.register(request.headers.authorization, bodyOf(request));
        return reply.code(201).headers(NO_STORE).send(toAnswer(registered));
      });
    });
  }

  private fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { status, error: code, description } = this.faultOf(error, request, reply);
    void reply.code(status).headers(NO_STORE).send({ error: code, error_description: description });
  }

  private faultOf(error: unknown, request: FastifyRequest, reply: FastifyReply): Fault {
    if (error instanceof InvalidMetadata) return { status: 400, error: error.error, description: error.message };
    if (error instanceof RegistrationRefused) {
      if (error.status === 404) return { status: 404, error: 'invalid_request', description: error.message };
      const fault = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
      void reply.header('www-authenticate', `Bearer realm="worksmith"${fault}`);
      return { status: 401, error: 'invalid_token', description: error.message };
    }
    if (error instanceof Error && 'statusCode' in error && error.statusCode === 413) {
      return {
        status: 413,
        error: 'invalid_request',
        description: `The body must be at most ${MAX_BYTES} bytes long.`,
      };
    }
    const verdict = toApiError(error);
    noteFailure(request, verdict, error);
    const { refusal, status } = verdict;
    if (status >= 500 && refusal.code === 'internal_error') this.log.error(request.id, error);
    if (refusal.retryAfter !== undefined) void reply.header('retry-after', String(Math.ceil(refusal.retryAfter)));
    return { status, error: codeOf(refusal, status), description: refusal.message };
  }
}

const codeOf = ({ code }: ApiError, status: number): string =>
  code === 'rate_limited' || status === 503
    ? 'temporarily_unavailable'
    : status >= 500
      ? 'server_error'
      : 'invalid_request';

/** Undefined for what is not JSON, which the registration refuses. */
function bodyOf({ body, sentType = '' }: TypedRequest): unknown {
  if (!/^application\/json[ \t]*(?:;|$)/i.test(sentType)) return undefined;
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

/** All that was registered (RFC 7591, section 3.2.1), so that a program sees what it has not got. */
function toAnswer({ client_secret: secret, ...client }: FreshOauthClient): Record<string, unknown> {
  const { id, name, redirect_uris, grant_types, token_endpoint_auth_method, created_at: createdAt } = client;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.parse(createdAt) / 1_000),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris,
    grant_types,
    response_types: grant_types.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method,
  };
}
