import { Injectable } from '@nestjs/common';
import { isInNetworks } from '../../common/network/network.js';
import { ApiError } from '../../common/errors.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { unauthorized } from '../../platform/http/responses/to-api-error.js';
import { rateLimited, type Limit } from '../../platform/limits/rate-limited.js';
import { LocalWindow } from '../../platform/limits/local-window.js';
import { AccessTokenSecrets, isWellFormed } from './access-token-secrets.js';
import type { CreatedTokenKind } from './calendar-tokens.js';
import type { Caller } from './caller.js';
import { boundsOf } from './bounded-caller.js';
import { Callers } from './callers.js';
import { TokenUses } from './token-uses.js';

/** Limits the load of invalid tokens; tokens are too long to be guessed. */
const FAILURES: Limit = {
  name: 'invalid_tokens',
  counts: 'invalid access tokens from one address',
  most: 100,
  seconds: 60,
  setting: null,
};

/** Authenticates a request by its access token, and applies the restrictions of the token to it. */
@Injectable()
export class TokenSignIn {
  private readonly failures = new LocalWindow();

  constructor(
    private readonly callers: Callers,
    private readonly context: RequestContext,
    private readonly secrets: AccessTokenSecrets,
    private readonly uses: TokenUses,
  ) {}

  /**
   * Returns the caller. 401 for a token that is unknown, of another kind, ended or expired; 403 `network_not_allowed`
   * from an address outside of the token's networks.
   */
  async callerOf(token: string, kind: CreatedTokenKind = 'access'): Promise<Caller> {
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
    return count > FAILURES.most ? rateLimited(FAILURES, endsIn) : unauthorized();
  }
}

const networkNotAllowed = (): ApiError =>
  new ApiError('forbidden', 'This access token cannot be used from your IP address.', {
    required: 'an IP address in the allowed networks of the token',
    reason: 'network_not_allowed',
  });
