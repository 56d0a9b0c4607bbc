import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { parentRequestOf } from '../../platform/context/sub-requests.js';
import { identify } from '../../platform/http/server/session-concurrency-limiter.js';
import { listFormatOf } from '../../platform/http/responses/list-format.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { Streams } from '../../platform/http/server/route-metadata.js';
import { unauthorized } from '../../platform/http/responses/to-api-error.js';
import type { RequestState } from '../../platform/http/requests/request.interceptor.js';
import { Access } from '../access.js';
import { isAccessToken } from './access-token-secrets.js';
import { AcceptsCalendarToken } from './calendar-tokens.js';
import type { Caller } from './caller.js';
import { boundsOf } from './bounded-caller.js';
import { Callers, isSameCaller } from './callers.js';
import { OPERATION } from '../operations/operation.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';
import { CreationTally } from '../tiers/creation-tally.js';
import { creationsKey, Tiers } from '../tiers/tiers.js';
import { isHeldBackIn, withHeldRights } from '../second-factor/second-factor.js';
import { TokenSignIn } from './token-sign-in.js';
import { Tokens, type Claims } from './tokens.js';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Rejects requests without an active session or valid access token, except to operations that the permission table
 * makes public.
 */
@Injectable()
export class JwtGuard extends AuthGuard('jwt') implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: Callers,
    private readonly tokens: Tokens,
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly tally: CreationTally,
    private readonly tiers: Tiers,
    private readonly accessTokens: TokenSignIn,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<OperationId | undefined>(OPERATION, context.getHandler());
    if (operation !== undefined && permissionOf(operation).access === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest & RequestState & { user?: Claims }>();
    const enclosing = parentRequestOf(request);
    if (enclosing?.caller !== undefined) {
      this.context.confine(enclosing.confinement);
      this.admit(request, enclosing.caller as Caller, operation);
      return true;
    }
    const calendarToken = this.calendarTokenIn(context, request);
    if (calendarToken !== undefined) {
      this.admit(request, await this.accessTokens.callerOf(calendarToken, 'calendar'), operation);
      return true;
    }
    const token = tokenIn(request);
    if (isAccessToken(token)) {
      this.admit(request, await this.accessTokens.callerOf(token), operation);
      return true;
    }
    const claims = await this.claimsOf(context, request, token);
    const lastSeen = this.allowsLateConfirmation(context, request, operation)
      ? this.callers.lastSeen(claims.jti)
      : undefined;
    // The restrictions of a held back caller have to be known before it reads.
    if (lastSeen === undefined || lastSeen.isHeldBack === true) {
      const caller = await this.activeCaller(claims);
      if (isHeldBackIn(caller, operation)) this.context.confine(boundsOf({ caller }));
      this.admit(request, caller, operation);
      return true;
    }
    request.caller = lastSeen;
    request.confirming = this.activeCaller(claims).then((caller) =>
      isSameCaller(caller, lastSeen) ? undefined : caller,
    );
    // A request that is rejected before it awaits the confirmation would leave this rejection unhandled.
    request.confirming.catch(() => undefined);
    return true;
  }

  private calendarTokenIn(context: ExecutionContext, { query }: FastifyRequest): string | undefined {
    if (this.reflector.get(AcceptsCalendarToken, context.getHandler()) === undefined) return undefined;
    const { token } = query as Record<string, unknown>;
    return typeof token === 'string' && token !== '' ? token : undefined;
  }

  private admit(request: FastifyRequest & RequestState, found: Caller, operation?: OperationId): void {
    const caller = withHeldRights(found, operation);
    request.caller = caller;
    identify(request);
    request.recheck = (requirements) => this.access.recheck(caller, requirements);
    if (this.tiers.countsCreations(caller)) request.created = () => this.tiers.countCreated(caller);
    else request.tallied = () => this.tally.record(creationsKey(caller));
  }

  private async activeCaller({ jti, sub }: Claims): Promise<Caller> {
    const caller = await this.callers.bySession(jti);
    if (caller === undefined || caller.userId !== sub) throw unauthorized();
    return caller;
  }

  /**
   * Whether the request can start with the caller of the session's previous request while the session is looked up. The
   * response is sent only after the lookup has confirmed that caller.
   */
  private allowsLateConfirmation(
    context: ExecutionContext,
    { method, query, headers }: FastifyRequest,
    operation?: OperationId,
  ): boolean {
    if (method !== 'GET' || operation === undefined || permissionOf(operation).access !== 'authenticated') return false;
    if (listFormatOf(headers.accept) !== undefined) return false;
    return !('admin' in (query as object)) && this.reflector.get(Streams, context.getHandler()) === undefined;
  }

  private async claimsOf(context: ExecutionContext, request: { user?: Claims }, token: string): Promise<Claims> {
    const verified = this.tokens.verifiedClaims(token);
    if (verified !== undefined) return verified;
    await super.canActivate(context);
    const claims = request.user;
    if (claims === undefined) throw unauthorized();
    this.tokens.remember(token, claims);
    return claims;
  }

  /** Answers every error of Passport with the same message. */
  override handleRequest<T>(error: unknown, user: T | false): T {
    if (error || user === false || user === undefined) throw unauthorized();
    return user;
  }
}

function tokenIn({ headers }: FastifyRequest): string {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthorized();
  return token;
}

/** Returns the caller that {@link JwtGuard} has stored on the request. */
export const callerOf = (context: ExecutionContext): Caller =>
  context.switchToHttp().getRequest<{ caller: Caller }>().caller;
