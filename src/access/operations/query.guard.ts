import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../../common/errors.js';
import { assertBodyRead } from '../../platform/http/bodies/body-reading.js';
import { assertIfMatchForm } from '../../platform/http/responses/etag.js';
import { takeDryRun } from '../../platform/http/requests/dry-run-parameter.js';
import { isInBatch } from '../../platform/context/sub-requests.js';
import { parameterErrors } from '../../platform/http/requests/plain-query.js';
import { rawQueryOf } from '../../platform/http/requests/query-parameters.js';
import { OperationRegistry } from './operation-registry.js';
import { queryNamesOf } from './operation.js';

/**
 * Rejects unreadable bodies, unknown query parameters and an invalid `If-Match`. Runs last, because the token, the rate
 * limit and administrator rights are checked first (spec 02). Reads with query parameters check all of them in the
 * handler, so that all errors are reported together.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly operations: OperationRegistry) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    assertBodyRead(request);
    assertIfMatchForm(request.headers['if-match']);
    if (Object.keys(request.query as object).length === 0) return true;
    const operation = this.operations.of(context.getHandler());
    const known = operation && queryNamesOf(operation.declaration);
    if (known === undefined || (known.length > 0 && request.method === 'GET')) return true;
    const isDeclared = request.method === 'GET' || known.includes('dry_run');
    // `dry_run` applies to a batch as a whole, not to a request in it.
    const isDryRunAccepted = !isInBatch(request) && operation?.acceptsDryRun === true;
    const errors = isDeclared ? [] : takeDryRun(request, isDryRunAccepted);
    errors.push(...parameterErrors(rawQueryOf(request), known));
    if (errors.length > 0) throw invalidInput(errors);
    return true;
  }
}
