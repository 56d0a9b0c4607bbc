import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { isRecord } from '../../../common/texts/json.js';
import { ProviderRequests } from './provider-requests.js';

/**
 * Looks up the host of an issuer before the request is processed. Place it below the route decorator, so that it runs
 * before the transaction begins; otherwise, the request would hold a connection while it waits for a name server.
 */
@Injectable()
export class IssuerLookup implements NestInterceptor {
  constructor(private readonly requests: ProviderRequests) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isRecord(body) || typeof body.issuer !== 'string' || !URL.canParse(body.issuer)) return next.handle();
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.requests.withResolved(body.issuer, work));
  }
}
