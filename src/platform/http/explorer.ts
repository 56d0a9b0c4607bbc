import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { assetOf, serveAsset } from './asset.js';

const OWN = fileURLToPath(new URL('../../../explorer', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const OWN_FILES = [
  'explorer.js',
  'explorer.css',
  'folding-plugin.js',
  'filter-plugin.js',
  'operation-filter.js',
  'optional-examples.js',
  'sign-in.js',
];
const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
/** Serves the explorer under /docs: a page with Swagger UI whose assets all come from this origin. */
export function serveExplorer(fastify: FastifyInstance): void {
  serve(fastify, '/docs', join(OWN, 'index.html'));
  // The page references its assets relative to /docs, so that it also works under the prefix of a proxy.
  fastify.get('/docs/', (_request, reply) => reply.redirect('../docs', 301));
  for (const name of OWN_FILES) serve(fastify, `/docs/${name}`, join(OWN, name));
  for (const name of SWAGGER_UI_FILES) serve(fastify, `/docs/${name}`, join(SWAGGER_UI, name));
}

const serve = (fastify: FastifyInstance, url: string, file: string): void =>
  serveAsset(fastify, url, async () => assetOf(await readFile(file), extname(file)));
