import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../../access/jwt.guard.js';
import { isRecord } from '../../common/json.js';
import { Renderer } from './liquid/renderer.js';

/**
 * Lets requests whose body is a template wait for the turn in which it is parsed. Stands below the route, so that it begins
 * before the transaction, under whose idempotency key a request would hold a connection while it waits.
 */
@Injectable()
export class TemplateLimiter implements NestInterceptor {
  constructor(private readonly renderer: Renderer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isRecord(body) || typeof body.body !== 'string') return next.handle();
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.renderer.inTurn(callerOf(context).userId, work));
  }
}
