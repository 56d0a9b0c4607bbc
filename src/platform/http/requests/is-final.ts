import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestState } from './request.interceptor.js';
import { parentRequestOf } from '../../context/sub-requests.js';

/**
 * Whether what the request writes stays once it has been answered: false in a dry run, and for a part of a batch, which can
 * be rolled back later. For handlers that return what works outside of the database: signed
 * addresses.
 */
export const IsFinal = createParamDecorator((_: unknown, context): boolean => {
  const request = context.switchToHttp().getRequest<FastifyRequest & RequestState>();
  return request.isDryRun !== true && parentRequestOf(request) === undefined;
});
