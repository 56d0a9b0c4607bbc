import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../platform/http/translate.js';
import type { Asking } from '../platform/http/request.interceptor.js';
import { Access } from './access.js';
import type { Caller } from './caller.js';
import { Callers } from './callers.js';
import { OPERATION } from './operation.js';
import { permissionOf, type OperationId } from './permissions.js';
import { Tokens, type Claims } from './tokens.js';

const BEARER = /^Bearer +(\S+)$/i;

/** Lets nobody in without a living session, except through the doors that the permission table calls public. */
@Injectable()
export class JwtGuard extends AuthGuard('jwt') implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: Callers,
    private readonly tokens: Tokens,
    private readonly access: Access,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    if (operation !== undefined && permissionOf(operation).door === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest & Asking & { user?: Claims }>();
    const claims = await this.claimsOf(context, request);
    const caller = await this.callers.bySession(claims.jti);
    if (caller === undefined || caller.userId !== claims.sub) throw unauthorized();
    request.caller = caller;
    request.recheck = (requirements) => this.access.recheck(caller, requirements);
    return true;
  }

  private async claimsOf(context: ExecutionContext, request: FastifyRequest & { user?: Claims }): Promise<Claims> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw unauthorized();
    const remembered = this.tokens.remembered(token);
    if (remembered !== undefined) return remembered;
    await super.canActivate(context);
    const claims = request.user;
    if (claims === undefined) throw unauthorized();
    this.tokens.remember(token, claims);
    return claims;
  }

  /** Passport hands over whatever went wrong; the client learns the same in every case. */
  override handleRequest<T>(error: unknown, user: T | false): T {
    if (error || user === false || user === undefined) throw unauthorized();
    return user;
  }
}

/** The caller that the guard left on the request. */
export const callerOf = (context: ExecutionContext): Caller =>
  context.switchToHttp().getRequest<{ caller: Caller }>().caller;
