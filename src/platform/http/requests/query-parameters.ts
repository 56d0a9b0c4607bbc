import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { listFormatOf, type ListFormat } from '../responses/list-format.js';
import { areUnknownFieldsIgnored, prefersLenient } from '../../context/unknown-fields.js';

/** The raw query of a list request. */
export interface RawQuery {
  query: Record<string, unknown>;
  /** Unknown parameters are ignored, as requested by `Prefer: handling=lenient` or `UNKNOWN_FIELDS=ignore`. */
  lenient: boolean;
  /** The format for a complete list. */
  format?: ListFormat;
  /** The parameters of the saved query that the request names. */
  saved?: SavedQuery;
}

/** The parameters of a saved query, in the form of a query string. */
export type SavedQuery = Readonly<Record<string, string>>;

const savedQueries = new WeakMap<FastifyRequest, SavedQuery>();

/** Lets the list of the request also apply the parameters of a saved query. */
export function applySavedQuery(request: FastifyRequest, saved: SavedQuery): void {
  savedQueries.set(request, saved);
}

/** Passes the raw query of a list to its handler; `Listing` parses it by the list definition. */
export const QueryParameters = createParamDecorator((_: unknown, context: ExecutionContext): RawQuery => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return rawQueryOf(request);
});

/** The query of a request as it was sent. */
export function rawQueryOf(request: FastifyRequest): RawQuery {
  const { headers, query } = request;
  const saved = savedQueries.get(request);
  const lenient = prefersLenient(headers.prefer) || areUnknownFieldsIgnored();
  const format = listFormatOf(headers.accept);
  return {
    query: query as Record<string, unknown>,
    lenient,
    ...(format !== undefined && { format }),
    ...(saved && { saved }),
  };
}
