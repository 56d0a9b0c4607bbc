import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Actor } from '../events/actor.js';
import { Database } from '../database/database.js';
import { compose } from './compose.js';
import type { Answer } from './envelope.js';
import { Idempotency, type Recheck } from './idempotency.js';
import { OwnTransactions, SecretProperties } from './route-metadata.js';
import { isRehearsal, takingBack } from './rehearsal.js';

const CREATED = 201;

/** What the guard leaves on a request. */
export interface RequestState {
  caller?: Actor;
  /** Where the caller is a guess: who it really is, undefined if it is the same; fails if it is nobody any more. */
  confirming?: Promise<Actor | undefined>;
  recheck?: Recheck;
  /** To be called in the transaction that created something for the caller, who may create only so much. */
  created?: () => Promise<void>;
}

/**
 * One request, one transaction, one answer: the handler runs in the ambient transaction, the answer is put together inside
 * it (so that an idempotency key can keep it) and sent after the commit. Reads do without (see routes.ts).
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & RequestState>();
    const reply = http.getResponse<FastifyReply>();
    const secrets = this.reflector.get(SecretProperties, context.getHandler()) ?? [];
    if (secrets.length > 0) void reply.header('cache-control', 'no-store');
    const work = async () => {
      const result = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (reply.statusCode === CREATED) await request.created?.();
      return compose(result, request, reply.statusCode);
    };
    const isAlone = this.reflector.get(OwnTransactions, context.getHandler());
    const counts = reply.statusCode === CREATED && request.created !== undefined;
    return from(this.write(request, secrets, work, { isAlone, endsWithWork: !counts }).then(send(reply)));
  }

  private async write(
    request: FastifyRequest & RequestState,
    secrets: readonly string[],
    work: () => Promise<Answer>,
    { isAlone, endsWithWork }: { isAlone: boolean; endsWithWork: boolean },
  ): Promise<Answer> {
    if (isRehearsal(request) && !isAlone) return takingBack(this.database, work);
    const userId = request.caller?.userId;
    const key = this.idempotency.keyOf(request, userId);
    if (key === undefined || userId === undefined) {
      return isAlone ? work() : this.database.transaction(work, { endsWithWork });
    }
    const recheck = request.recheck ?? (() => Promise.resolve());
    if (isAlone) return this.idempotency.aside(request, userId, key, recheck, secrets, work);
    return this.database.transaction(() => this.idempotency.once(request, userId, key, recheck, secrets, work));
  }
}

const send =
  (reply: FastifyReply) =>
  (answer: Answer): string => {
    void reply.code(answer.status).headers(answer.headers);
    return answer.body;
  };
