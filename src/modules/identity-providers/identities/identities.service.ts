import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { Sessions } from '../../../access/authentication/sessions.js';
import { StepUp } from '../../../access/second-factor/step-up.js';
import { WaysIn } from '../../../access/authentication/ways-in.js';
import { ApiError, conflict, notFound } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import type { Deleted } from '../../../platform/http/openapi/schemas.js';
import { Listing } from '../../../platform/listing/listing.js';
import { AccountMails } from '../../auth/account-mails.js';
import { CredentialChanges } from '../../users/credential-changes.js';
import { IdentitiesRepository } from './identities.repository.js';
import { Identity } from './identity.entity.js';
import { IdentityLinks } from './identity-links.js';
import { identityList } from './identity.list.js';
import { identityView } from './identity.view.js';
import { IdentityProvidersRepository } from '../identity-providers.repository.js';
import type { FinishSignInDto } from '../sign-in/oidc.dto.js';
import { SignInRules } from '../sign-in/sign-in-rules.service.js';
import { ProviderSignIns } from '../sign-in/provider-sign-ins.js';

/** Manages the identities of the caller at providers. */
@Injectable()
export class IdentitiesService implements OnModuleInit {
  constructor(
    private readonly accountMails: AccountMails,
    private readonly changes: CredentialChanges,
    private readonly context: RequestContext,
    private readonly database: Database,
    private readonly identities: IdentitiesRepository,
    private readonly links: IdentityLinks,
    private readonly listing: Listing,
    private readonly providers: IdentityProvidersRepository,
    private readonly rules: SignInRules,
    private readonly sessions: Sessions,
    private readonly signIns: ProviderSignIns,
    private readonly stepUp: StepUp,
    private readonly waysIn: WaysIn,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.accountMails.provideProviders(async (userId) => {
      const required = await this.rules.requiredOf(userId);
      const names = [...(await this.identities.providerNames(userId)), ...required];
      return { names: [...new Set(names)], isBound: required.length > 0 };
    });
    this.waysIn.provide((userId) => this.identities.countOf(userId));
    this.stepUp.provideMethods(async (userId) => ((await this.identities.canProve(userId)) ? ['oidc'] : []));
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, identityList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const identity = await this.identities.read(me.userId, id, fields);
    if (identity === undefined) throw notFound();
    return identity;
  }

  /** Links what the provider calls the person with the account of the caller. */
  async create(me: Caller, dto: FinishSignInDto): Promise<Representation> {
    const proved = await this.signIns.proved(dto);
    if (proved === undefined) throw verificationFailed();
    const { provider, claims } = proved;
    return this.database.transaction(async () => {
      await this.identities.lockSubject(provider.id, claims.subject);
      await this.identities.lockUser(me.userId);
      await this.makeWay(me, provider.id, claims.subject);
      return this.links.add(provider, claims, me, true);
    });
  }

  /** Ends the identity if it is that of the caller and was linked by an address alone; 409 if it is taken otherwise. */
  private async makeWay(me: Caller, providerId: string, subject: string): Promise<void> {
    const linked = await this.identities.find(providerId, subject);
    if (linked === undefined) return;
    const own = linked.userId === me.userId ? await this.identities.lock(me.userId, linked.id) : undefined;
    if (own === undefined || own.linkedByUser) {
      throw conflict('identity_taken', 'This identity is already linked with an account.');
    }
    await this.writer.remove(me, identityView, Identity, own, { ownerUserId: me.userId }, { endedAt: new Date() });
  }

  /** Removes an identity, which ends all other sessions; 409 `last_credential` if the user could not sign in any more. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    await this.identities.lockUser(me.userId);
    const current = await this.identities.lock(me.userId, id);
    if (current === undefined) throw notFound();
    this.context.assertIfMatch(current.revision);
    const provider = await this.providers.find(current.providerId);
    const others = (await this.waysIn.countOf(me.userId)) - ((await this.identities.isWayIn(id)) ? 1 : 0);
    if (others === 0) throw lastCredential();
    const place = { ownerUserId: me.userId };
    await this.writer.remove(me, identityView, Identity, current, place, { endedAt: new Date() });
    await this.sessions.endAll(me.userId, me.sessionId);
    await this.changes.tell(me.userId, 'identity_removed', provider?.name ?? '');
    return { id, deleted: true };
  }
}

const verificationFailed = () =>
  new ApiError(
    'verification_failed',
    'The provider did not confirm who you are, or you began too long ago. Begin again.',
  );

const lastCredential = () =>
  conflict('last_credential', 'This is your only way to sign in. Set a password or add a passkey first.');
