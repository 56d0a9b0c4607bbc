import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestState } from './request.interceptor.js';

/**
 * Waits until it is certain who asks, where that was a guess (see JwtGuard); nothing may be answered before. False where
 * it was somebody else: then the request is asked again from the start, and answered there. Fails where it is nobody.
 */
export async function isCallerConfirmed(request: FastifyRequest & RequestState, reply: FastifyReply): Promise<boolean> {
  const other = await request.confirming;
  request.confirming = undefined;
  if (other === undefined) return true;
  await request.routeOptions.handler.call(request.server, request, reply);
  return false;
}
