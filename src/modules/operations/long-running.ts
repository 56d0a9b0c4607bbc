import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import type { Caller } from '../../access/authentication/caller.js';
import { MayBeAsynchronous } from '../../platform/http/server/route-metadata.js';
import { viewSchema, enveloped } from '../../platform/http/openapi/schemas.js';
import { operationView } from './operation.view.js';
import { OperationsService } from './operations.service.js';
import { appliedPreferences, waitSeconds } from './prefer.js';

const ACCEPTED = 202;

/** The schema of the 202 response of requests that always run as an operation. */
export const startedOperation = viewSchema(operationView);

/**
 * Delays a 202 response until the operation has finished, at most for the time in `Prefer: wait=20`. Runs after the
 * commit.
 */
@Injectable()
class WaitInterceptor implements NestInterceptor {
  constructor(private readonly operations: OperationsService) {}

  intercept(context: ExecutionContext, next: CallHandler<string>): Observable<unknown> {
    const http = context.switchToHttp();
    const { headers, caller } = http.getRequest<FastifyRequest & { caller: Caller }>();
    const seconds = waitSeconds(headers.prefer);
    const response = next.handle();
    if (seconds === 0) return response;
    const reply = http.getResponse<FastifyReply>();
    return response.pipe(
      mergeMap((body) => {
        if (reply.statusCode !== ACCEPTED) return [body];
        void reply.header('preference-applied', appliedPreferences(headers.prefer, seconds));
        return this.afterOperation(caller, body, seconds);
      }),
    );
  }

  private async afterOperation(me: Caller, body: string, seconds: number): Promise<string> {
    const { data } = JSON.parse(body) as { data: { id: string } };
    const operation = await this.operations.get(me, data.id, seconds);
    return `{"data":${operation.body}}`;
  }
}

export const PREFER = ApiHeader({
  name: 'Prefer',
  required: false,
  description:
    'With wait=20, the response is sent when the operation has finished, or after that many seconds (at most 20).',
  schema: { type: 'string', examples: ['wait=20'] },
});

/**
 * Documents that a handler may respond with 202 and an operation, and supports `Prefer: wait`. Place it below the route
 * decorator.
 */
export const LongRunning = (): MethodDecorator =>
  applyDecorators(
    MayBeAsynchronous(true),
    UseInterceptors(WaitInterceptor),
    PREFER,
    ApiResponse({
      status: ACCEPTED,
      description: 'The request takes longer. Follow the operation in the body, whose URL is in Location.',
      schema: enveloped(viewSchema(operationView)),
    }),
  );
