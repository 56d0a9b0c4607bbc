import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../common/errors.js';
import type { Caller } from './caller.js';
import { IS_LIST, OPERATION } from './operation.js';
import { permissionOf, type OperationId } from './permissions.js';

/** Keeps everyone but administrators from what is theirs alone, and everyone from what has no row in the table. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    if (operation === undefined) throw forbidden('an entry in the permission table');
    const { caller, query } = context.switchToHttp().getRequest<FastifyRequest & { caller?: Caller }>();
    const isList = this.reflector.get<boolean>(IS_LIST, context.getHandler());
    const asksAsAdmin = isList && ['true', '1', ''].includes((query as { admin?: string }).admin ?? 'no');
    if ((permissionOf(operation).door === 'administrator' || asksAsAdmin) && caller?.isAdmin !== true) {
      throw forbidden('an administrator');
    }
    return true;
  }
}
