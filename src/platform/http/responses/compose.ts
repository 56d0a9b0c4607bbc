import type { FastifyRequest } from 'fastify';
import { Representation } from '../../database/views/view.js';
import { AcceptedOperation } from './accepted-operation.js';
import { Created } from './created.js';
import { inApi } from '../server/declared-routes.js';
import { JSON_TYPE, type CompleteResponse } from './envelope.js';
import { encodeList } from './encode-list.js';
import { etagOf, isKnown, weakEtagOf } from './etag.js';
import { FeedSlice, Page } from './page.js';
import { Nothing } from './nothing.js';
import { RawResponse } from './raw-response.js';
import { RoutePath } from '../server/route-path.js';
import { jsonTypeOf } from '../requests/selected-fields.js';
import { TaggedData } from './tagged-data.js';

/** The complete response to a read; that of a list is encoded already. */
export interface ReadResponse extends Omit<CompleteResponse, 'body'> {
  body: string | Buffer;
}

/** The complete response for the result of a read: also pages of lists, which writes do not return. */
export function composeRead(result: unknown, request: FastifyRequest, status: number): ReadResponse {
  if (!(result instanceof Page || result instanceof FeedSlice)) return compose(result, request, status);
  const headers: Record<string, string> = { 'content-type': jsonTypeOf(request.query) };
  if (result instanceof Page && result.meta.next_cursor !== null) {
    headers.link = `<${nextUrl(request, result.meta.next_cursor)}>; rel="next"`;
  }
  return tagged(
    { status, headers, body: encodeList(result.items, result.meta, result instanceof FeedSlice ? result.beside : {}) },
    request,
  );
}

/**
 * The complete response for the result of a controller: a representation or a plain object.
 *
 * @param collection where the result is read if it has been created, as `CreatedIn` declares it.
 */
export function compose(
  result: unknown,
  request: FastifyRequest,
  status: number,
  collection?: string | null,
): CompleteResponse {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE };
  if (result instanceof Created) return represent(result.representation, request, 201, headers, collection);
  if (result instanceof Representation) {
    if (isRead(request)) headers['content-type'] = jsonTypeOf(request.query);
    return represent(result, request, status, headers, collection);
  }
  if (result instanceof AcceptedOperation) {
    const { operation, location } = result;
    return { status: 202, headers: { ...headers, location }, body: `{"data":${operation.body}}` };
  }
  if (result instanceof Nothing) return { status, headers, body: '{"data":null}', isNotKept: true };
  if (result instanceof RawResponse) {
    return tagged({ status, headers: { ...result.headers }, body: result.body }, request);
  }
  if (result instanceof TaggedData) {
    return tagged({ status, headers, body: JSON.stringify({ data: result.data }) }, request);
  }
  const data = result ?? {};
  if (status === 201 && typeof data === 'object' && 'id' in data) locate(String(data.id), request, headers, collection);
  return { status, headers, body: JSON.stringify({ data }) };
}

function represent(
  thing: Representation,
  request: FastifyRequest,
  status: number,
  headers: Record<string, string>,
  collection?: string | null,
): CompleteResponse {
  const etag = etagOf(thing);
  if (etag !== undefined) headers.etag = etag;
  if (status === 201) locate(thing.id, request, headers, collection);
  return unlessKnown({ status, headers, body: `{"data":${thing.body}}` }, request);
}

/** Adds the ETag of a response without revision. */
function tagged<A extends ReadResponse>(response: A, request: FastifyRequest): A {
  if (!isRead(request)) return response;
  response.headers.etag = weakEtagOf(response.body);
  return unlessKnown(response, request);
}

function unlessKnown<A extends ReadResponse>(response: A, request: FastifyRequest): A {
  const { etag } = response.headers;
  if (etag === undefined || !isRead(request) || !isKnown(request.headers['if-none-match'], etag)) return response;
  return { ...response, status: 304, headers: { etag }, body: '' };
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0];

/** Sets the address of the new entity. */
function locate(
  id: string,
  request: FastifyRequest,
  headers: Record<string, string>,
  collection: string | null | undefined,
): void {
  if (collection === null) return;
  const declared =
    collection === undefined ? undefined : new RoutePath(inApi(collection)).filled(request.params as object);
  headers.location = `${declared ?? pathOf(request)}/${id}`;
}

function nextUrl(request: FastifyRequest, cursor: string): string {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  query.delete('offset');
  query.set('cursor', cursor);
  return `${pathOf(request)}?${query.toString()}`;
}
