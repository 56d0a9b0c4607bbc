import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError, invalidField } from '../../../common/errors.js';

/** Routes that take a file: their bodies are read by the handler. */
const ROUTES = new Set<string>();
export const MAX_UPLOAD = 200 * 1024 * 1024;
export const UPLOAD = 'application/octet-stream';
/** The media types of a file, and that of a form with it. */
export const UPLOAD_TYPES = [UPLOAD, 'text/csv', 'application/json', 'multipart/form-data'] as const;

/** Leaves the body of this route (`/api/v1/imports`) to its handler. */
export function AcceptsUploads(route: string): ClassDecorator {
  ROUTES.add(route);
  return SetMetadata('worksmith:uploads', route);
}

export const isUploadRoute = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && ROUTES.has(routeOptions.url ?? '');

/** Leaves uploads unread for their handlers, under a content type that no other route accepts. */
export function leaveUploadsUnread(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(UPLOAD, (_request, _payload, done) => done(null));
}

/** A file that is being received. */
export interface Upload<File extends Readable = Readable> {
  /** The content type as sent. */
  contentType: string;
  file: File;
}

export const UploadedFile = createParamDecorator((_: unknown, context: ExecutionContext): Upload<IncomingMessage> => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { sentType?: string }>();
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw new ApiError('unsupported_media_type', 'The file must be sent without Content-Encoding.');
  if (Number(length ?? 0) > MAX_UPLOAD) throw tooLarge();
  return { contentType: request.sentType ?? UPLOAD, file: request.raw };
});

const tooLarge = (): ApiError => new ApiError('payload_too_large', 'The file is larger than 200 MiB.');

/**
 * The chunks of a stream; a stream that is not read to its end stays open, because a destroyed request cannot be
 * answered.
 */
export const piecesOf = (stream: Readable): AsyncIterable<Buffer> => stream.iterator({ destroyOnReturn: false });

/** The chunks of a file, up to the limit. */
export async function* limited(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const piece of file) {
      length += piece.length;
      if (length > MAX_UPLOAD) throw tooLarge();
      yield piece;
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
    throw invalidField('file', 'invalid_format', 'The file is incomplete.');
  }
}
