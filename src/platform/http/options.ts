import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteTable } from './route-table.js';

/** Answers OPTIONS on a known path with its methods. CORS preflights are left to the CORS plugin, if enabled. */
export function answerOptions(fastify: FastifyInstance, routes: RouteTable, { hasCors }: { hasCors: boolean }): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || (hasCors && isPreflight(request))) return done();
    const methods = routes.methodsOf(request.url.split('?')[0]);
    if (methods.length === 0) return done();
    void reply.code(204).header('allow', methods.join(', ')).send();
  });
}

const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
