import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../common/errors.js';
import type { Caller } from './caller.js';
import { OPERATION } from './operation.js';
import type { OperationId } from './permissions.js';
import { assertMayCall } from './may-call.js';

/**
 * Rejects operations that are reserved for administrators, operations outside of the scopes of the access token, and
 * handlers without a row in the permission table.
 */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    if (operation === undefined)
      throw forbidden('an entry in the permission table', 'This operation is not in the permission table.');
    const { caller } = context.switchToHttp().getRequest<FastifyRequest & { caller?: Caller }>();
    assertMayCall(operation, caller);
    return true;
  }
}
