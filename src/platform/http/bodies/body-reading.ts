import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { invalidField, ApiError } from '../../../common/errors.js';
import { parseJsonBody } from './body-guard.js';
import { fieldsOfForm, FORM, isForm, isFormRoute } from './forms.js';
import { endedAfter } from '../server/read-on.js';
import { isUploadRoute, leaveUploadsUnread, UPLOAD, UPLOAD_TYPES } from './uploads.js';

const BODY_LIMIT = 1024 * 1024;
const JSON_TYPE = /^application\/(?:merge-patch\+)?json[ \t]*(?:;|$)/i;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of JSON that a route accepts, if they are others than those of the interface. */
    jsonTypes?: { pattern: RegExp; names: readonly string[] };
  }
}

/** `sentType` is the content type as sent; `bodyError` is why the body cannot be read. */
type BodyRequest = FastifyRequest & { sentType?: string; bodyError?: unknown };

/**
 * Reads JSON bodies up to the limit. An unreadable body does not reject the request yet, because authentication and
 * permissions are checked first (see {@link assertBodyRead}).
 */
export function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRequest', (request: BodyRequest, _reply, done) => {
    const { headers } = request.raw;
    request.sentType = headers['content-type'];
    // Fastify would reject a malformed media type before any parser runs.
    if (isUploadRoute(request)) headers['content-type'] = UPLOAD;
    else if (request.sentType !== undefined) headers['content-type'] = 'application/json';
    done();
  });
  fastify.addContentTypeParser('application/json', (request: BodyRequest, payload, done) => {
    request.bodyError = mediaTypeErrorOf(request);
    if (request.bodyError !== undefined) return done(null);
    readWhole(payload, request.headers['content-length'], (error, raw) => {
      request.bodyError = error;
      done(null, raw && parsed(request, raw));
    });
  });
  leaveUploadsUnread(fastify);
  fastify.addContentTypeParser('*', (request: BodyRequest, _payload, done) => {
    request.bodyError = mediaTypeError();
    done(null);
  });
  fastify.addHook('preHandler', (request: BodyRequest, reply, done) => {
    // A rejected body is not read, and the client may still be sending it.
    if (request.bodyError !== undefined || isUploadRoute(request)) void reply.header('connection', 'close');
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isCutOff = reply.getHeader('connection') === 'close' && typeof payload === 'string';
    if (isCutOff) void reply.header('content-length', Buffer.byteLength(payload));
    done(null, isCutOff ? endedAfter(request, payload) : payload);
  });
}

/** Rejects a request with an unreadable body; called once its caller is authenticated and authorized. */
export function assertBodyRead(request: FastifyRequest): void {
  const { bodyError } = request as BodyRequest;
  if (bodyError !== undefined) throw bodyError;
}

/** What the path accepts instead of an unsupported body (RFC 5789, RFC 7694, and `Accept-Post` of the W3C). */
export function acceptedBodies(request: FastifyRequest): Record<string, string> {
  const { method, headers } = request;
  const types = isUploadRoute(request) ? UPLOAD_TYPES : isFormRoute(request) ? [FORM] : jsonTypesOf(request).names;
  return {
    ...(method === 'PATCH' && { 'accept-patch': types.join(', ') }),
    ...(method === 'POST' && { 'accept-post': types.join(', ') }),
    ...(headers['content-encoding'] !== undefined && { 'accept-encoding': 'identity' }),
  };
}

const JSON_TYPES = { pattern: JSON_TYPE, names: ['application/json', 'application/merge-patch+json'] };

const jsonTypesOf = ({ routeOptions }: FastifyRequest): { pattern: RegExp; names: readonly string[] } =>
  routeOptions.config.jsonTypes ?? JSON_TYPES;

const unsupported = (message: string): ApiError => new ApiError('unsupported_media_type', message);

function mediaTypeErrorOf(request: BodyRequest): ApiError | undefined {
  const { sentType, headers } = request;
  const encoding = headers['content-encoding'];
  if (!isFormRoute(request)) return mediaTypeError(sentType, encoding, jsonTypesOf(request).pattern);
  if (!isForm(sentType ?? '')) return unsupported(`The request body must be a form (Content-Type: ${FORM}).`);
  return mediaTypeError('application/json', encoding);
}

function mediaTypeError(contentType = '', contentEncoding = 'identity', pattern = JSON_TYPE): ApiError | undefined {
  const charset = /;\s*charset=("?)([^;"\s]+)\1/i.exec(contentType)?.[2] ?? 'utf-8';
  if (!pattern.test(contentType) || !/^utf-?8$/i.test(charset)) {
    return unsupported('The request body must be JSON in UTF-8 (Content-Type: application/json).');
  }
  // Compressed bodies are rejected, so their size cannot grow.
  if (/^identity$/i.test(contentEncoding)) return undefined;
  return unsupported('The request body must be sent without Content-Encoding.');
}

function parsed(request: BodyRequest, raw: Buffer): unknown {
  try {
    return isFormRoute(request) ? fieldsOfForm(raw) : parseJsonBody(raw);
  } catch (error) {
    request.bodyError = error;
    return undefined;
  }
}

/** Reads the body into memory; calls back with its bytes, or with an error as soon as it is known. */
function readWhole(payload: IncomingMessage, declared = '0', done: (error?: ApiError, raw?: Buffer) => void): void {
  const tooLarge = (): ApiError => new ApiError('payload_too_large', 'The request body is larger than 1 MiB.');
  if (Number(declared) > BODY_LIMIT) return done(tooLarge());
  const pieces: Buffer[] = [];
  let length = 0;
  const end = (error?: ApiError, raw?: Buffer): void => {
    payload.off('data', take).off('end', complete).off('error', abort);
    done(error, raw);
  };
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > BODY_LIMIT) end(tooLarge());
    else pieces.push(piece);
  };
  const complete = (): void => end(undefined, Buffer.concat(pieces, length));
  const abort = (): void => end(invalidField('body', 'invalid_format', 'The request body is incomplete.'));
  payload.on('data', take).on('end', complete).on('error', abort);
}
