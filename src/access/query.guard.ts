import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../common/errors.js';
import { assertBodyRead } from '../platform/http/body-reading.js';
import { assertIfMatchForm } from '../platform/http/etag.js';
import { parameterFaults } from '../platform/http/plain-query.js';
import { rawQueryOf } from '../platform/http/raw-query.js';
import { QUERY_NAMES } from './operation.js';

/**
 * Refuses bodies that cannot be read, query parameters that an operation does not have, and an `If-Match` that is none:
 * the last of the guards, because the token, the rate limit and the administrator's rights come first (spec 02). Reads
 * that have parameters look at these themselves, so that every fault is told at once.
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
    const faults = parameterFaults(rawQueryOf(request), known);
    if (faults.length > 0) throw invalidInput(faults);
    return true;
  }
}
