import type { FastifyRequest } from 'fastify';
import { Representation } from '../database/view.js';
import { JSON_TYPE, type Answer } from './envelope.js';
import { etagOf, isKnown } from './etag.js';
import { Page } from './page.js';

/** The full answer to what a controller returned: a representation, a page, or a plain object. */
export function compose(result: unknown, request: FastifyRequest, status: number): Answer {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE };
  if (result instanceof Representation) return represent(result, request, status, headers);
  if (result instanceof Page) {
    const next = result.meta.next_cursor;
    if (next !== null) headers.link = `<${nextUrl(request, next)}>; rel="next"`;
    return { status, headers, body: `{"data":${result.items},"meta":${JSON.stringify(result.meta)}}` };
  }
  const data = result ?? {};
  if (status === 201 && typeof data === 'object' && 'id' in data)
    headers.location = `${pathOf(request)}/${String(data.id)}`;
  return { status, headers, body: JSON.stringify({ data }) };
}

function represent(
  thing: Representation,
  request: FastifyRequest,
  status: number,
  headers: Record<string, string>,
): Answer {
  if (thing.revision !== null) headers.etag = etagOf(thing);
  if (status === 201) headers.location = `${collectionOf(request)}/${thing.id}`;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && headers.etag !== undefined && isKnown(request.headers['if-none-match'], headers.etag)) {
    return { status: 304, headers: { etag: headers.etag }, body: '' };
  }
  return { status, headers, body: `{"data":${thing.body}}` };
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0];

/** `/api/v1/rituals` also where the new thing was made at `/api/v1/rituals/{id}/fork`. */
const collectionOf = (request: FastifyRequest): string =>
  pathOf(request).replace(/\/[^/]+\/(?:fork|versions|reply)$/, '');

function nextUrl(request: FastifyRequest, cursor: string): string {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  query.delete('offset');
  query.set('cursor', cursor);
  return `${pathOf(request)}?${query.toString()}`;
}
