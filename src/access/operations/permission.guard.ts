import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { RequestContext } from '../../platform/context/request-context.js';
import type { Caller } from '../authentication/caller.js';
import { DECLARATION, OPERATION, readsStandby, type OperationOptions } from './operation.js';
import type { OperationId } from '../permissions/permissions.js';
import { assertMayCall } from './may-call.js';
import { assertSecondFactor } from '../second-factor/second-factor.js';
import { StepUp } from '../second-factor/step-up.js';

/**
 * Rejects operations that are reserved for administrators, operations outside of the scopes of the access token,
 * sessions without the second factor that the installation requires, operations that ask for a proof that the person is
 * there, and handlers without a row in the permission table. Lets a standby answer the others if they declare it.
 */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(
    private readonly context: RequestContext,
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly stepUp: StepUp,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    if (operation === undefined)
      throw forbidden('an entry in the permission table', 'This operation is not in the permission table.');
    const { caller } = context.switchToHttp().getRequest<FastifyRequest & { caller?: Caller }>();
    assertMayCall(operation, caller);
    if (readsStandby(this.reflector.get<OperationOptions>(DECLARATION, context.getHandler())))
      this.context.allowStandby();
    if (caller === undefined) return true;
    assertSecondFactor(this.settings.SECOND_FACTOR, operation, caller);
    await this.stepUp.assertFor(operation, caller);
    return true;
  }
}
