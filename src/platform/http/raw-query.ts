import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The query of a list request as it was sent. */
export interface RawQuery {
  query: Record<string, unknown>;
  /** `Prefer: handling=lenient`: unknown parameters are ignored. */
  lenient: boolean;
}

/** Hands the query of a list to its handler; `Listing` reads it by the area's declaration. */
export const Query = createParamDecorator((_: unknown, context: ExecutionContext): RawQuery => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const prefer = String(request.headers.prefer ?? '');
  return { query: request.query as Record<string, unknown>, lenient: /(^|[,;\s])handling=lenient\b/i.test(prefer) };
});
