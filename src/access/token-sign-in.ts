import { Injectable } from '@nestjs/common';
import { isInNetworks } from '../common/network.js';
import { Refusal } from '../common/errors.js';
import { RequestFacts } from '../platform/http/request-facts.js';
import { unauthorized } from '../platform/http/translate.js';
import { rateLimited } from '../platform/limits/limits.js';
import { LocalWindow } from '../platform/limits/local-window.js';
import { AccessTokenSecrets, isWellFormed } from './access-token-secrets.js';
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
    private readonly facts: RequestFacts,
    private readonly secrets: AccessTokenSecrets,
    private readonly uses: TokenUses,
  ) {}

  /** 401 for a token that is unknown or over, 403 `network_not_allowed` from where it may not be used. */
  async callerOf(token: string): Promise<Caller> {
    const holder = isWellFormed(token) ? await this.callers.byToken(this.secrets.hashOf(token)) : undefined;
    if (holder === undefined) throw this.failure();
    const { caller, allowedNetworks } = holder;
    const { clientAddress = '' } = this.facts;
    if (allowedNetworks.length > 0 && !isInNetworks(clientAddress, allowedNetworks)) throw networkNotAllowed();
    this.facts.confine(boundsOf(holder));
    this.uses.note(caller.tokenId, clientAddress);
    return caller;
  }

  private failure(): Refusal {
    const { count, endsIn } = this.failures.count(this.facts.clientNetwork);
    return count > MOST_FAILURES ? rateLimited(endsIn) : unauthorized();
  }
}

const networkNotAllowed = (): Refusal =>
  new Refusal('forbidden', 'This access token cannot be used from your IP address.', {
    required: 'an IP address in the allowed networks of the token',
    reason: 'network_not_allowed',
  });
