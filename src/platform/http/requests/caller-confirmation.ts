import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestState } from './request.interceptor.js';

/**
 * Waits until the caller of a read that was started early is confirmed (see JwtGuard); the response may be sent only
 * after that. Returns false if the caller differs; the handler is then run again and sends the response. Rejects if the
 * session has ended.
 */
export async function isCallerConfirmed(request: FastifyRequest & RequestState, reply: FastifyReply): Promise<boolean> {
  const actualCaller = await request.confirming;
  request.confirming = undefined;
  if (actualCaller === undefined) return true;
  await request.routeOptions.handler.call(request.server, request, reply);
  return false;
}
