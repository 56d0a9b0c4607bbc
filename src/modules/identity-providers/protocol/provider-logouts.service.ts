import { Injectable } from '@nestjs/common';
import { Sessions } from '../../../access/authentication/sessions.js';
import { ApiError, invalidField, notFound } from '../../../common/errors.js';
import { isRecord } from '../../../common/texts/json.js';
import { Database } from '../../../platform/database/database.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import { Limits } from '../../../platform/limits/limits.js';
import { IdentityProvidersRepository } from '../identity-providers.repository.js';
import { LogoutTokens } from './logout-tokens.js';
import { LogoutTokensRepository } from './logout-tokens.repository.js';

/** Limits the signatures that are checked, and the keys that are read, for clients without a session. */
const LOGOUTS = { name: 'oidc_logout', counts: 'logouts by providers', most: 600, seconds: 60, setting: null };
const MAX_TOKEN = 20_000;

const refused = (): ApiError =>
  new ApiError('verification_failed', 'The logout token is wrong, too old or already used.');

/** Signs people out whom their provider has signed out. */
@Injectable()
export class ProviderLogouts {
  constructor(
    private readonly context: RequestContext,
    private readonly database: Database,
    private readonly limits: Limits,
    private readonly providers: IdentityProvidersRepository,
    private readonly sessions: Sessions,
    private readonly tokens: LogoutTokens,
    private readonly used: LogoutTokensRepository,
  ) {}

  /** Ends the sessions that the token in the form names; 400 for every token that is not right. */
  async end(providerId: string, form: unknown): Promise<{ status: 'logged_out' }> {
    this.context.setHeader('cache-control', 'no-store');
    const text = isRecord(form) ? form.logout_token : undefined;
    if (typeof text !== 'string' || text.length > MAX_TOKEN)
      throw invalidField('logout_token', 'required', 'logout_token is required, as a field of a form.');
    await this.limits.consumeForAddress(LOGOUTS);
    const provider = await this.providers.find(providerId);
    if (provider === undefined) throw notFound();
    const request = await this.tokens.requestIn(provider, text);
    if (request === undefined) throw refused();
    await this.database.transaction(async () => {
      if (!(await this.used.use(provider.id, request.jti))) throw refused();
      await this.sessions.endAtProvider(provider.id, request);
    });
    return { status: 'logged_out' };
  }
}
