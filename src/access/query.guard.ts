import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../common/errors.js';
import { assertBodyRead } from '../platform/http/body-reading.js';
import { assertIfMatchForm } from '../platform/http/etag.js';
import { acceptsDryRun, takeDryRun } from '../platform/http/dry-run-parameter.js';
import { isInBatch } from '../platform/http/sub-requests.js';
import { parameterErrors } from '../platform/http/plain-query.js';
import { rawQueryOf } from '../platform/http/query-parameters.js';
import { QUERY_NAMES } from './operation.js';

/**
 * Rejects unreadable bodies, unknown query parameters and an invalid `If-Match`. Runs last, because the token, the rate
 * limit and administrator rights are checked first (spec 02). Reads with query parameters check all of them in the
 * handler, so that all errors are reported together.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    assertBodyRead(request);
    assertIfMatchForm(request.headers['if-match']);
    if (Object.keys(request.query as object).length === 0) return true;
    const known = this.reflector.get<string[] | undefined>(QUERY_NAMES, context.getHandler());
    if (known === undefined || (known.length > 0 && request.method === 'GET')) return true;
    const isDeclared = request.method === 'GET' || known.includes('dry_run');
    // `dry_run` applies to a batch as a whole, not to a request in it.
    const isDryRunAccepted = !isInBatch(request) && acceptsDryRun(context.getClass(), context.getHandler());
    const errors = isDeclared ? [] : takeDryRun(request, isDryRunAccepted);
    errors.push(...parameterErrors(rawQueryOf(request), known));
    if (errors.length > 0) throw invalidInput(errors);
    return true;
  }
}
