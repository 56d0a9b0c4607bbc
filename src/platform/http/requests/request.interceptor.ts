import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Actor } from '../../context/actor.js';
import { Settings } from '../../config/settings.js';
import { Database, type TransactionOptions } from '../../database/database.js';
import { Created } from '../responses/created.js';
import { compose } from '../responses/compose.js';
import { dryRunResponse, runAndRollBack } from './dry-run.js';
import type { CompleteResponse } from '../responses/envelope.js';
import { Idempotency, type Recheck } from './idempotency.js';
import { isTrial, parentRequestOf } from '../../context/sub-requests.js';
import {
  BoundedTransaction,
  CreatedIn,
  MayCreate,
  OwnTransactions,
  SecretProperties,
  type TransactionBounds,
} from '../server/route-metadata.js';

const CREATED = 201;

/** The properties that the guard sets on a request. */
export interface RequestState {
  caller?: Actor;
  /**
   * For an unconfirmed caller: resolves to the actual one, or undefined if it is the same; fails if the session has
   * ended.
   */
  confirming?: Promise<Actor | undefined>;
  recheck?: Recheck;
  /** The effects are rolled back, and the response describes what would happen. */
  isDryRun?: boolean;
  /** Set if the audit already has the error, from a rejected inner request. */
  isRefusalRecorded?: true;
  /** Called in the transaction of a creation, to count it against the caller's limit. */
  created?: () => Promise<void>;
  /** Called after the commit of a creation, to count it for a caller without a limit. */
  tallied?: () => void;
}

/**
 * Runs the handler in the ambient transaction and builds the response inside it, so that an idempotency key can store it;
 * sends the response after the commit. Reads do not use it (see routes.ts).
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & RequestState>();
    const reply = http.getResponse<FastifyReply>();
    const secrets = this.reflector.get(SecretProperties, context.getHandler()) ?? [];
    if (secrets.length > 0) void reply.header('cache-control', 'no-store');
    const work = async () => {
      const result = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (reply.statusCode === CREATED || result instanceof Created) {
        if (request.tallied !== undefined) this.database.afterCommit(request.tallied);
        await request.created?.();
      }
      return compose(result, request, reply.statusCode, this.reflector.get(CreatedIn, context.getHandler()));
    };
    const batch: Partial<TransactionBounds> = this.reflector.get(BoundedTransaction, context.getHandler()) ?? {};
    const { opensOwn, tries } = batch;
    const bounds = opensOwn && { tries, seconds: this.settings.BATCH_SECONDS };
    const hasOwn = this.reflector.get(OwnTransactions, context.getHandler()) || (opensOwn?.(request.body) ?? false);
    // Work with its own transactions cannot be rolled back as a whole; each of its inner requests is rolled back.
    request.isDryRun ??= parentRequestOf(request)?.isDryRun === true || (isTrial(request) && hasOwn);
    const mayCreate = reply.statusCode === CREATED || this.reflector.get(MayCreate, context.getHandler());
    // Limits and batches execute further statements after the last one of the handler.
    const continues = (mayCreate && request.created !== undefined) || opensOwn !== undefined;
    return from(this.write(request, secrets, work, hasOwn, { ...bounds, endsWithWork: !continues }).then(send(reply)));
  }

  private async write(
    request: FastifyRequest & RequestState,
    secrets: readonly string[],
    work: () => Promise<CompleteResponse>,
    hasOwnTransactions: boolean,
    options: TransactionOptions,
  ): Promise<CompleteResponse> {
    if (isTrial(request) && !hasOwnTransactions) return runAndRollBack(this.database, work, options);
    const userId = request.caller?.userId;
    const key = this.idempotency.keyOf(request, userId);
    if (request.isDryRun === true) {
      return dryRunResponse(hasOwnTransactions ? await work() : await runAndRollBack(this.database, work, options));
    }
    if (key === undefined || userId === undefined) {
      return hasOwnTransactions ? work() : this.database.transaction(work, options);
    }
    const recheck = request.recheck ?? (() => Promise.resolve());
    if (hasOwnTransactions) {
      return this.idempotency.onceWithOwnTransactions(request, userId, key, recheck, secrets, work);
    }
    const once = () => this.idempotency.once(request, userId, key, recheck, secrets, work);
    return this.database.transaction(once, { ...options, endsWithWork: false });
  }
}

const send =
  (reply: FastifyReply) =>
  (response: CompleteResponse): string => {
    void reply.code(response.status).headers(response.headers);
    return response.body;
  };
