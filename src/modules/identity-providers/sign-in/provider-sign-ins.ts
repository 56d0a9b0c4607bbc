import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import type { SignInFacts } from '../../../access/authentication/sessions.js';
import { invalidField, invalidInput, notFound, referenceNotFound } from '../../../common/errors.js';
import { serviceAddress } from '../../../platform/config/address.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { Limits } from '../../../platform/limits/limits.js';
import { LoginService, type LoggedIn } from '../../auth/login.service.js';
import type { SecondFactorRequired } from '../../auth/pending-sign-ins.js';
import { AccountLinking } from '../identities/account-linking.js';
import { FlowTokens, isSame } from './flow-tokens.js';
import { IdentityProvidersRepository, type SignInProvider } from '../identity-providers.repository.js';
import { GroupRoles } from '../group-roles.service.js';
import { IdentitiesRepository } from '../identities/identities.repository.js';
import type { FinishSignInDto } from './oidc.dto.js';
import { OidcFlowsRepository } from './oidc-flows.repository.js';
import { ProviderProtocol } from '../protocol/provider-protocol.js';
import { provesSecondFactor, type ProviderClaims } from '../provider.rules.js';

/** Limits the rows, and the requests to providers, that clients without a session can cause. */
const START = {
  name: 'oidc_start',
  counts: 'sign-ins by a provider that were begun from one address',
  most: 60,
  seconds: 60,
  setting: null,
};
const FINISH = { ...START, name: 'oidc_finish', counts: 'sign-ins by a provider that were finished from one address' };

/** A sign-in that was begun: where the person signs in, and what the client finishes it with. */
export interface Started {
  authorization_url: string;
  flow_token: string;
  expires_at: string;
}

/** Who has signed in at which provider. */
interface ProvedIdentity {
  provider: SignInProvider;
  claims: ProviderClaims;
  /** When the client began. */
  startedAt: Date;
}

/** What a sign-in at the provider proves. */
const factsOf = (provider: SignInProvider, { subject, sid, endSessionUrl }: ProviderClaims): SignInFacts => ({
  hasSecondFactor: provesSecondFactor(provider),
  provedTo: provider.provesSecondFactor ? provider.organizationId : null,
  provider: { providerId: provider.id, subject, sid: sid ?? null, endSessionUrl: endSessionUrl ?? null },
});

/** Begins and finishes sign-ins at identity providers. */
@Injectable()
export class ProviderSignIns {
  constructor(
    private readonly accounts: AccountLinking,
    private readonly database: Database,
    private readonly flows: OidcFlowsRepository,
    private readonly groups: GroupRoles,
    private readonly identities: IdentitiesRepository,
    private readonly limits: Limits,
    private readonly logins: LoginService,
    private readonly protocol: ProviderProtocol,
    private readonly providers: IdentityProvidersRepository,
    private readonly settings: Settings,
    private readonly tokens: FlowTokens,
  ) {}

  start(providerId: string, redirectUri: string): Promise<Started> {
    return this.begin(providerId, redirectUri, null);
  }

  /** Begins a proof that the person of the session is there; 400 for providers at which the user has no identity. */
  async startProof({ userId, sessionId }: Caller, providerId: string, redirectUri: string): Promise<Started> {
    if (!(await this.identities.isAt(providerId, userId))) throw invalidInput([referenceNotFound('provider_id')]);
    return this.begin(providerId, redirectUri, sessionId);
  }

  /**
   * Whether the person of the session has signed in again at the provider since the proof was begun. Where a second factor is
   * on, the provider must prove it, too, because one factor alone proves nothing there.
   */
  async proves({ userId, sessionId }: Caller, dto: FinishSignInDto, hasSecondFactor: boolean): Promise<boolean> {
    const proved = await this.proved(dto, sessionId);
    if (proved === undefined) return false;
    const { provider, claims, startedAt } = proved;
    if (hasSecondFactor && !provesSecondFactor(provider)) return false;
    const isAfterwards = (claims.authenticatedAt ?? 0) >= Math.floor(startedAt.getTime() / 1_000);
    if (!isAfterwards) return false;
    const identity = await this.identities.find(provider.id, claims.subject);
    return identity?.userId === userId && identity.isValid;
  }

  private async begin(providerId: string, redirectUri: string, sessionId: string | null): Promise<Started> {
    await this.limits.consumeForAddress(START);
    const provider = await this.providers.enabled(providerId);
    if (provider === undefined) throw notFound();
    this.assertKnown(redirectUri, providerId);
    const token = this.tokens.create();
    const secrets = this.tokens.secretsOf(token);
    const isAgain = sessionId !== null;
    const url = await this.protocol.authorizationUrl(provider, redirectUri, secrets, { isAgain });
    const expiresAt = await this.flows.insert(this.tokens.hashOf(token), { providerId, redirectUri, sessionId });
    return { authorization_url: url, flow_token: token, expires_at: expiresAt.toISOString() };
  }

  async finish(dto: FinishSignInDto): Promise<LoggedIn | SecondFactorRequired> {
    const proved = await this.proved(dto);
    if (proved === undefined) throw this.logins.refusalOf('oidc');
    const { provider, claims } = proved;
    return this.database.transaction(async () => {
      const userId = await this.accounts.userOf(provider, claims);
      await this.groups.apply(provider, claims, userId);
      return this.logins.openByProvider(userId, factsOf(provider, claims));
    });
  }

  /** Who has signed in at which provider, in a flow of the session if any; undefined for every answer that is not right. */
  async proved(
    { flow_token: token, state, code, iss }: FinishSignInDto,
    sessionId: string | null = null,
  ): Promise<ProvedIdentity | undefined> {
    await this.limits.consumeForAddress(FINISH);
    const flow = await this.flows.take(this.tokens.hashOf(token), sessionId);
    const provider = flow && (await this.providers.enabled(flow.providerId));
    const secrets = this.tokens.secretsOf(token);
    if (flow === undefined || provider === undefined || !isSame(state, secrets.state)) return undefined;
    const claims = await this.protocol.claimsOf(provider, { code, iss, redirectUri: flow.redirectUri }, secrets);
    return claims && { provider, claims, startedAt: flow.startedAt };
  }

  private assertKnown(redirectUri: string, providerId: string): void {
    const ownPage = `${serviceAddress(this.settings)}/auth/callback/${providerId}`;
    if ([ownPage, ...this.settings.OIDC_REDIRECT_URIS].includes(redirectUri)) return;
    throw invalidField(
      'redirect_uri',
      'invalid_value',
      `redirect_uri must be ${ownPage} or one of the addresses in OIDC_REDIRECT_URIS.`,
    );
  }
}
