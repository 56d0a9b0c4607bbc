import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestState } from './request.interceptor.js';

/**
 * Waits until the caller of an early-started read is confirmed (see JwtGuard); an answer is sent only after that. False
 * if the caller differs: the request is then repeated and answered there. Fails if the session has ended.
 */
export async function isCallerConfirmed(request: FastifyRequest & RequestState, reply: FastifyReply): Promise<boolean> {
  const other = await request.confirming;
  request.confirming = undefined;
  if (other === undefined) return true;
  await request.routeOptions.handler.call(request.server, request, reply);
  return false;
}
