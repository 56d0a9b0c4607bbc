import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { isRecord } from '../../common/texts/json.js';
import { WebhookTargets } from './webhook-targets.js';

/**
 * Resolves the host of a webhook before the request is processed. Place it below the route decorator, so that it runs
 * before the transaction begins; otherwise, the request would hold a connection while it waits for a name server.
 */
@Injectable()
export class TargetLookup implements NestInterceptor {
  constructor(private readonly targets: WebhookTargets) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isRecord(body) || typeof body.url !== 'string' || !URL.canParse(body.url)) return next.handle();
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.targets.withResolved(body.url, work));
  }
}
