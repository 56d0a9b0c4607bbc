import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../../../common/errors.js';
import type { ApiExceptionFilter } from '../responses/api-exception.filter.js';
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

/** Answers 405 for a literal path with a method that only the path of an entity has, like every other known path. */
export function refuseOtherMethods(fastify: FastifyInstance, routes: RouteTable, filter: ApiExceptionFilter): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!routes.isShadowed(request)) return done();
    filter.respond(notFound(), request, reply);
  });
}

const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
