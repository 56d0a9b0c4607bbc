import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from './etag.js';

const OWN = fileURLToPath(new URL('../../../explorer', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const OWN_FILES = [
  'explorer.js',
  'explorer.css',
  'failures-plugin.js',
  'filter-plugin.js',
  'operation-filter.js',
  'optional-examples.js',
  'sign-in.js',
];
const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

interface Asset {
  body: Buffer;
  type: string;
  etag: string;
}

/** Serves the explorer below /docs: a page around Swagger UI, with every asset from this origin. */
export function serveExplorer(fastify: FastifyInstance): void {
  serve(fastify, '/docs', join(OWN, 'index.html'));
  // The page names its assets relative to /docs, so that it works below the prefix of a proxy too.
  fastify.get('/docs/', (_request, reply) => reply.redirect('../docs', 301));
  for (const name of OWN_FILES) serve(fastify, `/docs/${name}`, join(OWN, name));
  for (const name of SWAGGER_UI_FILES) serve(fastify, `/docs/${name}`, join(SWAGGER_UI, name));
}

/** The file is read when it is asked for first, and kept. */
function serve(fastify: FastifyInstance, url: string, file: string): void {
  let asset: Promise<Asset> | undefined;
  fastify.get(url, async (request: FastifyRequest, reply: FastifyReply) => {
    asset ??= read(file);
    const { body, type, etag } = await asset.catch((error: unknown) => {
      asset = undefined;
      throw error;
    });
    void reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}

async function read(file: string): Promise<Asset> {
  const body = await readFile(file);
  return { body, type: TYPES[extname(file)], etag: `"${hash('sha1', body, 'base64url')}"` };
}
