import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { kindOf } from '../../common/ids.js';
import type { Caller } from '../authentication/caller.js';
import { OPERATION } from '../operations/operation.js';
import type { OperationId } from '../permissions/permissions.js';
import { isHeldBackIn, secondFactorRequired, signInRequired } from './second-factor.js';
import { WithheldRepository } from './withheld.repository.js';

/**
 * Answers requests that name something which an organization withholds until a second factor is proved: 403
 * `second_factor_required` instead of 404, because the caller knows that it exists. Nothing else depends on this guard: the
 * database shows a held back caller nothing of it (platform/database/transactions/confinement.ts).
 */
@Injectable()
export class SecondFactorGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly withheld: WithheldRepository,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest & { caller?: Caller }>();
    const { caller } = request;
    if (caller === undefined || !isHeldBackIn(caller, operation)) return true;
    const named = new Set(idsIn([request.params, request.query, request.body]));
    return named.size === 0 || this.assertNoneWithheld(caller, [...named]);
  }

  private async assertNoneWithheld(me: Caller, named: readonly string[]): Promise<boolean> {
    if (await this.withheld.isUnreached(me, named)) throw signInRequired();
    if (await this.withheld.isAmong(me, named)) throw secondFactorRequired('the organization');
    return true;
  }
}

/** The ids in the values of a request, also in lists that are separated by commas. */
function* idsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    for (const part of value.split(',')) if (kindOf(part) !== undefined) yield part;
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* idsIn(inner);
  }
}
