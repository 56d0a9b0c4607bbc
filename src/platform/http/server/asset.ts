import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isKnown } from '../responses/etag.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.yaml': 'text/yaml; charset=utf-8',
};

/** A static file. */
interface Asset {
  body: Buffer;
  type: string;
  etag: string;
}

export function assetOf(content: string | Buffer, extension: string): Asset {
  const body = Buffer.from(content);
  return { body, type: TYPES[extension], etag: `"${hash('sha1', body, 'base64url')}"` };
}

/** Serves an asset that is created on the first request and cached, with these headers. */
export function serveAsset(
  fastify: FastifyInstance,
  url: string,
  make: () => Promise<Asset>,
  headers: Readonly<Record<string, string>> = {},
): void {
  let asset: Promise<Asset> | undefined;
  fastify.get(url, async (request, reply) => {
    asset ??= make();
    const { body, type, etag } = await asset.catch((error: unknown) => {
      asset = undefined;
      throw error;
    });
    void reply.headers(headers).header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}
