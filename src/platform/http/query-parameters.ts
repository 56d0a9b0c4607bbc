import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { listFormatOf, type ListFormat } from './list-format.js';
import { areUnknownFieldsIgnored } from './unknown-fields.js';

/** The query of a list request as it was sent. */
export interface RawQuery {
  query: Record<string, unknown>;
  /** Unknown parameters are ignored, as `Prefer: handling=lenient` or `UNKNOWN_FIELDS=ignore` ask for. */
  lenient: boolean;
  /** In which form a list is to be sent whole. */
  format?: ListFormat;
}

/** Hands the query of a list to its handler; `Listing` reads it by the area's declaration. */
export const QueryParameters = createParamDecorator((_: unknown, context: ExecutionContext): RawQuery => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return rawQueryOf(request);
});

/** The query of a request as it was sent. */
export function rawQueryOf({ headers, query }: FastifyRequest): RawQuery {
  const isPreferred = /(^|[,;\s])handling=lenient\b/i.test(String(headers.prefer ?? ''));
  const lenient = isPreferred || areUnknownFieldsIgnored();
  const format = listFormatOf(headers.accept);
  return { query: query as Record<string, unknown>, lenient, ...(format !== undefined && { format }) };
}
