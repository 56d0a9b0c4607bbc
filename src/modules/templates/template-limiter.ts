import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../../access/authentication/jwt.guard.js';
import { isRecord } from '../../common/texts/json.js';
import { Renderer } from './liquid/renderer.js';

/**
 * Makes requests with a template in their body wait for a slot of the renderer. Place it below the route decorator, so
 * that it runs before the transaction begins; otherwise, a waiting request would hold a connection.
 */
@Injectable()
export class TemplateLimiter implements NestInterceptor {
  constructor(private readonly renderer: Renderer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isRecord(body) || typeof body.body !== 'string') return next.handle();
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.renderer.runQueued(callerOf(context).userId, work));
  }
}
