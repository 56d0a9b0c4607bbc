import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestState } from './request.interceptor.js';

/**
 * Waits until it is certain who asks, where that was a guess (see JwtGuard); nothing may be answered before. False where
 * it was another caller: then the request runs again, and is answered there. Fails if the session has ended.
 */
export async function isCallerConfirmed(request: FastifyRequest & RequestState, reply: FastifyReply): Promise<boolean> {
  const other = await request.confirming;
  request.confirming = undefined;
  if (other === undefined) return true;
  await request.routeOptions.handler.call(request.server, request, reply);
  return false;
}
