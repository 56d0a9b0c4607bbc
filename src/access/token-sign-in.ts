import { Injectable } from '@nestjs/common';
import { isInNetworks } from '../common/network.js';
import { ApiError } from '../common/errors.js';
import { RequestContext } from '../platform/http/request-context.js';
import { unauthorized } from '../platform/http/to-api-error.js';
import { rateLimited } from '../platform/limits/limits.js';
import { LocalWindow } from '../platform/limits/local-window.js';
import { AccessTokenSecrets, isWellFormed } from './access-token-secrets.js';
import type { TokenKind } from './calendar-tokens.js';
import type { Caller } from './caller.js';
import { boundsOf, Callers } from './callers.js';
import { TokenUses } from './token-uses.js';

/** The number of invalid tokens per minute after which a client has to wait; guessing is infeasible anyway. */
const MOST_FAILURES = 100;

/** Finds the caller behind an access token, and bounds the request to what the token is restricted to. */
@Injectable()
export class TokenSignIn {
  private readonly failures = new LocalWindow();

  constructor(
    private readonly callers: Callers,
    private readonly context: RequestContext,
    private readonly secrets: AccessTokenSecrets,
    private readonly uses: TokenUses,
  ) {}

  /** 401 for a token that is unknown, of another kind or over, 403 `network_not_allowed` from where it may not be used. */
  async callerOf(token: string, kind: TokenKind = 'access'): Promise<Caller> {
    const holder = isWellFormed(token) ? await this.callers.byToken(this.secrets.hashOf(token), kind) : undefined;
    if (holder === undefined) throw this.failure();
    const { caller, allowedNetworks } = holder;
    const { clientAddress = '' } = this.context;
    if (allowedNetworks.length > 0 && !isInNetworks(clientAddress, allowedNetworks)) throw networkNotAllowed();
    this.context.confine(boundsOf(holder));
    this.uses.record(caller.tokenId, clientAddress);
    return caller;
  }

  private failure(): ApiError {
    const { count, endsIn } = this.failures.count(this.context.clientNetwork);
    return count > MOST_FAILURES ? rateLimited(endsIn) : unauthorized();
  }
}

const networkNotAllowed = (): ApiError =>
  new ApiError('forbidden', 'This access token cannot be used from your IP address.', {
    required: 'an IP address in the allowed networks of the token',
    reason: 'network_not_allowed',
  });
