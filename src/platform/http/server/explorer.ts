import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { assetOf, serveAsset } from './asset.js';

/** The folder with the pages of the service. */
export const EXPLORER = fileURLToPath(new URL('../../../../explorer', import.meta.url));
const OWN_FILES = [
  'callback.js',
  'consent.js',
  'consent-texts.js',
  'document.js',
  'elements.js',
  'explorer.css',
  'explorer.js',
  'operation-view.js',
  'own-things.js',
  'passkeys.js',
  'providers.js',
  'request-form.js',
  'response-view.js',
  'schema-view.js',
  'session.js',
  'step-up.js',
];
/** Serves the explorer under /docs: a page whose assets all come from this origin. */
export function serveExplorer(fastify: FastifyInstance): void {
  serve(fastify, '/docs', join(EXPLORER, 'index.html'));
  // The page references its assets relative to /docs, so that it also works under the prefix of a proxy.
  fastify.get('/docs/', (_request, reply) => reply.redirect('../docs', 301));
  // Where identity providers send people back: the page finishes the sign-in that the explorer has begun.
  serve(fastify, '/auth/callback/:provider_id', join(EXPLORER, 'callback.html'));
  for (const name of OWN_FILES) serve(fastify, `/docs/${name}`, join(EXPLORER, name));
}

const serve = (fastify: FastifyInstance, url: string, file: string): void =>
  serveAsset(fastify, url, async () => assetOf(await readFile(file), extname(file)));
