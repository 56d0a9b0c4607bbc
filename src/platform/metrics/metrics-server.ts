import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { StartError } from '../../common/start-error.js';
import type { Settings } from '../config/settings.js';
import type { Metrics } from './metrics.js';

/** Metrics as text: those of this process, or of all processes of the service. */
export type MetricsSource = Pick<Metrics, 'contentType' | 'text'>;

const PATH = '/metrics';
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the request may read the metrics: without METRICS_TOKEN, everybody who reaches METRICS_PORT may. */
function isAllowed(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

/** Serves the metrics beside the interface if METRICS_TOKEN is set; requests without the token are refused. */
export function serveMetrics(fastify: FastifyInstance, metrics: MetricsSource, { METRICS_TOKEN }: Settings): void {
  if (METRICS_TOKEN === undefined) return;
  fastify.get(PATH, async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (isAllowed(request.headers.authorization, METRICS_TOKEN)) {
      return reply.type(metrics.contentType).send(await metrics.text());
    }
    void reply.header('www-authenticate', 'Bearer realm="metrics"').type('text/plain; charset=utf-8');
    return reply.code(401).send('Send METRICS_TOKEN as a bearer token.\n');
  });
}

/** Serves the metrics on METRICS_PORT if it is set, which proxies need not know; returns how to stop. */
export async function openMetricsPort(
  metrics: MetricsSource,
  { HOST, METRICS_PORT, METRICS_TOKEN }: Settings,
): Promise<() => Promise<void>> {
  if (METRICS_PORT === undefined) return () => Promise.resolve();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isKnown = request.url === PATH && request.method === 'GET';
    if (!isKnown) return void response.writeHead(404).end();
    if (!isAllowed(request.headers.authorization, METRICS_TOKEN)) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer realm="metrics"' }).end();
    }
    const text = await metrics.text();
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(`The metrics cannot be served on ${HOST}:${METRICS_PORT} (${error.code}). Change METRICS_PORT.`),
      ),
    );
    server.listen(METRICS_PORT, HOST, resolve);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
