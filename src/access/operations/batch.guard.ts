import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../../common/errors.js';
import { isInBatch } from '../../platform/context/sub-requests.js';
import { OperationRegistry } from './operation-registry.js';

/** Rejects requests of a batch to handlers that cannot be part of one, in addition to the earlier check of paths. */
@Injectable()
export class BatchGuard implements CanActivate {
  constructor(private readonly operations: OperationRegistry) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isInBatch(request) || this.operations.of(context.getHandler())?.isBatchable === true) return true;
    throw invalidField('path', 'invalid_value', 'This operation cannot be part of a batch.');
  }
}
