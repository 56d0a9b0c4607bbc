import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { concatMap, type Observable } from 'rxjs';
import type { Caller } from './caller.js';
import { Tiers } from './tiers.js';

const CREATED = 201;

/**
 * Counts what people create against their tier's hourly limit. It stands inside the transaction of the request, behind
 * the handler: what fails is not counted, and what is too much is rolled back.
 */
@Injectable()
export class VelocityInterceptor implements NestInterceptor {
  constructor(private readonly tiers: Tiers) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { caller, method } = http.getRequest<FastifyRequest & { caller?: Caller }>();
    if (caller === undefined || method === 'GET') return next.handle();
    return next.handle().pipe(
      concatMap(async (answer: unknown) => {
        if (http.getResponse<FastifyReply>().statusCode === CREATED) await this.tiers.countCreated(caller);
        return answer;
      }),
    );
  }
}
